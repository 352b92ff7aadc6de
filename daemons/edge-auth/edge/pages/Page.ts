/** Style sheet, page frame and form parts that all pages share. */
import type { LanguageCode } from "#core/words/TextMemory.ts"
import { formatLocaleOf } from "#core/words/ChooseLanguage.ts"
import { cloneElement, type ComponentChildren, h, type VNode } from "preact"
import { HttpServerResponse } from "effect/http"
import { brandHead, brandStyle, presentBrand } from "#core/html/Brand.ts"
import { document, documentHeaders, languageLinks, type Policy } from "#core/html/Document.ts"
import { words } from "./Words.ts"

/**
 * Style sheet of all pages. Contrast against the background: at least 4.5 to 1 for text and 3 to 1 for field borders
 * (WCAG 2.2 §1.4.3, §1.4.11).
 */
export const style = `
:root {
  color-scheme: light dark; --ground: light-dark(#f2f4f7, #11151a); --card: light-dark(#fff, #1a2027);
  --text: light-dark(#1a2028, #e6e9ed); --rule: light-dark(#dde1e7, #333b45); --edge: light-dark(#7d8794, #7b8694);
  --soft: light-dark(#535c68, #a7b0bb); --error: light-dark(#a4161a, #ff9d9d); --good: light-dark(#17663a, #7fdba0);
  --accent: light-dark(#0b57a4, #8cc2ff); --on: light-dark(#fff, #10151c)
}
* { box-sizing: border-box }
html { background: var(--ground); color: var(--text) }
body { font: 1.0625rem/1.5 system-ui, sans-serif; margin: 0 auto; padding: 1rem 1rem 3rem; max-width: 28rem }
body:has(main.wide) { max-width: 70rem }
main { background: var(--card); border: 1px solid var(--rule); border-radius: .8rem; padding: 1.2rem 1.2rem 1.4rem }
@media (min-width: 40rem) {
  body { padding-top: 8vh } body:has(main.wide) { padding-top: 1rem } main { padding: 1.8rem 2rem 2rem }
}
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem; padding-top: 1.2rem; border-top: 1px solid var(--rule) }
h3 { font-size: 1.05rem }
p { margin: .8rem 0; overflow-wrap: anywhere } main > :last-child { margin-bottom: 0 }
nav { display: flex; flex-wrap: wrap; gap: 1rem; justify-content: end; padding: .4rem .2rem; font-size: .95rem }
nav a[aria-current] { color: inherit; font-weight: 600; text-decoration: none }
label { display: grid; grid-template-columns: minmax(0, 1fr); gap: .25rem; margin-top: .9rem; font-weight: 600 }
input, select, button {
  font: inherit; color: inherit; background: var(--card); padding: .5rem .7rem; border: 1px solid var(--edge);
  border-radius: .45rem; min-height: 2.75rem; max-width: 100%; font-weight: 400
}
button { cursor: pointer; margin-top: 1rem; font-weight: 600 }
button:hover { border-color: var(--accent); color: var(--accent) }
button.primary {
  background: var(--accent); color: var(--on); border-color: transparent; width: 100%; margin-top: 1.3rem
}
button.primary:hover { color: var(--on); filter: brightness(1.1) }
td button { margin: 0 .3rem .3rem 0; min-height: 2.2rem; padding: .2rem .6rem; font-weight: 400 }
form.inline { display: inline-block }
a { color: var(--accent) } :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
td:has(form) { min-width: 12rem } .warn { color: var(--error); font-weight: 600 }
small, .soft { color: var(--soft); font-weight: 400 }
.error { color: var(--error); border: 1px solid; border-radius: .45rem; padding: .6rem .8rem }
.good { color: var(--good) }
.scroll { overflow-x: auto } table { border-collapse: collapse; width: 100%; font-size: 1rem }
th, td {
  text-align: start; padding: .5rem 1rem .5rem 0; border-bottom: 1px solid var(--rule); vertical-align: top;
  min-width: 5rem; max-width: 22rem; overflow-wrap: break-word
}
th { white-space: nowrap; color: var(--soft) }
@media (max-width: 40rem) {
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
  tr { display: block; padding: .6rem 0; border-bottom: 1px solid var(--rule) }
  td { display: block; border: 0; padding: .15rem 0; max-width: none; overflow-wrap: anywhere }
  td:not([data-title=""])::before { content: attr(data-title) ": "; color: var(--soft); font-weight: 400 }
  td:empty { display: none } td:has(form) { padding-top: .5rem }
}
.pair { display: flex; flex-wrap: wrap; gap: 0 1rem; align-items: end } .pair label { flex: 1 1 10rem; min-width: 0 }
.pair input, .pair select { width: 100% }
code { overflow-wrap: anywhere } svg { max-width: 100%; height: auto; background: #fff }
${brandStyle}`

export interface PageOptions extends Pick<Policy, "formTargets"> {
  readonly language: LanguageCode
  readonly title: string
  readonly status?: number
  readonly wide?: boolean
  /** Address of this page in a language. Default: the same path with the language as its only query parameter. */
  readonly address?: (language: LanguageCode) => string
  readonly headers?: Readonly<Record<string, string>>
}

export const page = (
  { address, formTargets = [], headers = {}, language, status = 200, title, wide = false }: PageOptions,
  ...children: ReadonlyArray<ComponentChildren>
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(
    document(
      { language, title, style },
      h("nav", { "aria-label": words(language).language }, ...languageLinks(language, address)),
      ...brandHead(),
      h("main", wide ? { class: "wide" } : null, h("h1", null, title), ...children)
    ),
    {
      status,
      contentType: "text/html; charset=utf-8",
      headers: {
        "cache-control": "no-store",
        vary: "accept-language, cookie",
        ...documentHeaders(style, {
          formTargets,
          ...(presentBrand().brandLogo === undefined ? {} : { images: "data:" })
        }),
        ...headers
      }
    }
  )

/** Error message that screen readers announce at once. */
export const alert = (text: string | undefined) =>
  text === undefined ? null : h("p", { class: "error", role: "alert" }, text)

/** Input field with its label. */
export const field = (label: string, input: Readonly<Record<string, unknown>>, hint?: string) =>
  h("label", null, label, h("input", input), hint === undefined ? null : h("small", null, hint))

export const submit = (text: string) => h("button", { type: "submit", class: "primary" }, text)

/** Form that consists of one button; sends `fields`. `about`: object of the act, for screen readers. */
export const button = (
  text: string,
  about: string,
  formToken: string,
  action: string,
  fields: Readonly<Record<string, string | number>>
) =>
  h(
    "form",
    { method: "post", action, class: "inline" },
    h("input", { type: "hidden", name: "form_token", value: formToken }),
    ...Object.entries(fields).map(([name, value]) => h("input", { type: "hidden", name, value: String(value) })),
    h("button", { type: "submit", "aria-label": `${text}: ${about}` }, text)
  )

/** Date and time in UTC, as on all pages. */
export const moment = (date: Date, language: LanguageCode) =>
  h(
    "time",
    { datetime: date.toISOString() },
    date.toLocaleString(formatLocaleOf(language), { timeZone: "UTC", timeZoneName: "short" })
  )

/** Table of `rows`. On a small screen each row becomes a card, whose cells show their column titles. */
export const table = <P>(label: string, titles: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<VNode<P>>>) =>
  h(
    "div",
    { class: "scroll", role: "region", tabindex: 0, "aria-label": label },
    h(
      "table",
      null,
      h("thead", null, h("tr", null, ...titles.map((title) => h("th", { scope: "col" }, title)))),
      h(
        "tbody",
        null,
        ...rows.map((cells) =>
          h("tr", null, ...cells.map((cell, at) => cloneElement(cell, { "data-title": titles[at] })))
        )
      )
    )
  )

/** Page of one sentence and a link to the login page. `base`: our address, needed when another host shows the page. */
export const messagePage = (
  language: LanguageCode,
  title: string,
  text: string,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
  base = ""
) =>
  page(
    { language, title, status, headers },
    h("p", { role: "status" }, text),
    h("p", null, h("a", { href: `${base}/login?lang=${language}` }, words(language).login))
  )
