/**
 * Page for users whose role does not suffice; proxies other than nginx pass it on. It is rendered once and so contains
 * both languages. Pure.
 */
import { languages } from "#core/words/Language.ts"
import { h } from "preact"
import { document, documentHeaders } from "#core/html/Document.ts"
import { style } from "../edge/pages/Page.ts"
import { words } from "../edge/pages/Words.ts"

/** `base`: our own address. `headers`: names and values in turn. */
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
