/**
 * What somebody sees whose role does not suffice, where the proxy shows it: in both languages, since it is made once
 * for everybody. Pure.
 */
import { languages } from "#core/words/Language.ts"
import { h } from "preact"
import { document, documentHeaders } from "#core/html/Document.ts"
import { style } from "../edge/pages/Page.ts"
import { words } from "../edge/pages/Words.ts"

/** `base`: our own address. Headers as names and values in turn. */
export const refusedPage = (base: string): { readonly headers: ReadonlyArray<string>; readonly body: string } => {
  const body = document(
    { language: "en", title: words.en.noAccess, style },
    h(
      "main",
      null,
      ...languages.flatMap((language, index) => [
        h(index === 0 ? "h1" : "h2", { lang: language }, words[language].noAccess),
        h(
          "p",
          { lang: language },
          words[language].roleMissing,
          " ",
          h("a", { href: `${base}/account?lang=${language}` }, words[language].account)
        )
      ])
    )
  )
  return {
    headers: [
      "content-type",
      "text/html; charset=utf-8",
      "content-length",
      String(Buffer.byteLength(body)),
      ...Object.entries(documentHeaders(style)).flat()
    ],
    body
  }
}
