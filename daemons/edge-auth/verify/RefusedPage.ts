/**
 * Page for users whose role does not suffice; proxies other than nginx pass it on. It is rendered once for all readers
 * and so contains all languages.
 */
import { offeredLanguages, textVersion } from "#core/words/TextMemory.ts"
import { rebuilt } from "#core/settings/LiveSettings.ts"
import { h } from "preact"
import { brandHead, brandParts, presentBrand } from "#core/html/Brand.ts"
import { document, documentHeaders } from "#core/html/Document.ts"
import { style } from "../edge/pages/Page.ts"
import { words } from "../edge/pages/Words.ts"

export interface RefusedPage {
  /** Names and values in turn. */
  readonly headers: ReadonlyArray<string>
  readonly body: string
}

/**
 * Returns the page of our address, rendered again after a change of languages, texts or the brand. `more`: headers of
 * every answer, names and values in turn.
 */
export const makeRefusedPage = (base: string, more: ReadonlyArray<string>): (() => RefusedPage) => {
  const page = rebuilt<[number, ...ReturnType<typeof brandParts>], RefusedPage>(
    () => [textVersion(), ...brandParts()],
    () => render(base, more)
  )
  // Rendered at the start, so that the first reader does not wait.
  page()
  return page
}

const render = (base: string, more: ReadonlyArray<string>): RefusedPage => {
  const body = document(
    { language: "en", title: words("en").noAccess, style },
    ...brandHead(),
    h(
      "main",
      null,
      ...offeredLanguages().flatMap(({ code: language }, index) => [
        h(index === 0 ? "h1" : "h2", { lang: language }, words(language).noAccess),
        h(
          "p",
          { lang: language },
          words(language).roleMissing,
          " ",
          h("a", { href: `${base}/account?lang=${language}` }, words(language).account)
        )
      ])
    )
  )
  return {
    headers: [
      ...more,
      "content-type",
      "text/html; charset=utf-8",
      "content-length",
      String(Buffer.byteLength(body)),
      ...Object.entries(
        documentHeaders(style, presentBrand().brandLogo === undefined ? {} : { images: "data:" })
      ).flat()
    ],
    body
  }
}
