/** Frame and style sheet of the public pages about a device. Pure. No script, no external resource. */
import { type ComponentChildren, h } from "preact"
import { HttpServerResponse } from "effect/http"
import { brandHead, brandStyle, presentBrand } from "#core/html/Brand.ts"
import { document, documentHeaders, languageLinks } from "#core/html/Document.ts"
import type { LanguageCode } from "#core/words/TextMemory.ts"
import { words } from "./Words.ts"

/**
 * Style sheet of all pages. Contrast against the background: at least 4.5 to 1 for text and 3 to 1 for borders of
 * controls (WCAG 2.2 §1.4.3, §1.4.11).
 */
const style = `
:root {
  color-scheme: light dark; --ground: light-dark(#f2f4f7, #11151a); --card: light-dark(#fff, #1a2027);
  --text: light-dark(#1a2028, #e6e9ed); --rule: light-dark(#dde1e7, #333b45); --edge: light-dark(#7d8794, #7b8694);
  --soft: light-dark(#535c68, #a7b0bb); --accent: light-dark(#0b57a4, #8cc2ff); --on: light-dark(#fff, #10151c);
  --warn: light-dark(#8a4b00, #f5bd6b)
}
* { box-sizing: border-box }
html { background: var(--ground); color: var(--text) }
body { font: 1.0625rem/1.5 system-ui, sans-serif; margin: 0 auto; padding: 1rem 1rem 3rem; max-width: 44rem }
nav { display: flex; gap: 1rem; justify-content: end; padding: .4rem .2rem; font-size: .95rem }
nav a[aria-current] { color: inherit; font-weight: 600; text-decoration: none }
main, section { background: var(--card); border: 1px solid var(--rule); border-radius: .8rem; padding: 1.2rem 1.3rem }
main.plain { background: none; border: 0; padding: 0 } section { margin-top: 1rem }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .8rem } h2 { font-size: 1.15rem; margin: 0 0 .5rem }
p, li { overflow-wrap: anywhere } p { margin: .6rem 0 } ol { padding-inline-start: 1.3rem; margin: .6rem 0 }
a { color: var(--accent) } :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
button, a.button {
  font: inherit; font-weight: 600; display: inline-block; min-height: 2.75rem; padding: .6rem 1.1rem; cursor: pointer;
  border: 1px solid transparent; border-radius: .45rem; background: var(--accent); color: var(--on);
  text-decoration: none; text-align: center; max-width: 100%
}
button:hover, a.button:hover { filter: brightness(1.1) }
dl { display: grid; grid-template-columns: minmax(7rem, max-content) 1fr; gap: .35rem 1rem; margin: .6rem 0 }
dt { color: var(--soft) } dd { margin: 0; overflow-wrap: anywhere } code { font-size: 1.05em; user-select: all }
.soft { color: var(--soft); font-size: .95rem } .warn { color: var(--warn); font-weight: 600 }
svg { max-width: 100%; height: auto; border-radius: .4rem }
@media (max-width: 30rem) {
  dl { grid-template-columns: 1fr; gap: 0 } dd { margin-bottom: .5rem } button, a.button { width: 100% }
}
${brandStyle}`

export interface FrameOptions {
  readonly language: LanguageCode
  readonly title: string
  readonly status?: number
  /** Address of the same page in each language; undefined when the page can be shown only once. */
  readonly address?: (language: LanguageCode) => string
  readonly headers?: Readonly<Record<string, string>>
}

/** A page as a complete answer. Nothing may store it. */
export const frame = (
  { address, headers = {}, language, status = 200, title }: FrameOptions,
  ...children: ReadonlyArray<ComponentChildren>
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(
    document(
      { language, title, style },
      address === undefined
        ? null
        : h("nav", { "aria-label": words(language).language }, ...languageLinks(language, address)),
      ...brandHead(),
      ...children
    ),
    {
      status,
      contentType: "text/html; charset=utf-8",
      headers: {
        "cache-control": "no-store",
        vary: "accept, accept-language",
        ...documentHeaders(style, presentBrand().brandLogo === undefined ? {} : { images: "data:" }),
        // The address of the page has a secret.
        "referrer-policy": "no-referrer",
        "x-robots-tag": "noindex, nofollow",
        ...headers
      }
    }
  )
