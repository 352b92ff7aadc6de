/** What the pages share: how they look, and the parts of their forms. */
import { type ComponentChildren, h } from "preact"
import { HttpServerResponse } from "effect/http"
import { document, documentHeaders, languageLinks, type Policy } from "#core/html/Document.ts"
import { type Language, words } from "./Words.ts"

const style = `
:root { color-scheme: light dark; --line: light-dark(#c9ced6, #3d434c); --soft: light-dark(#555c66, #a9b0ba); --error: light-dark(#a4161a, #ff9b9b); --good: light-dark(#1b6e3c, #7fdba0); --accent: light-dark(#0b57a4, #8cc2ff) }
* { box-sizing: border-box }
body { font: 1.0625rem/1.5 system-ui, sans-serif; margin: 0; padding: 1.5rem 1rem 3rem }
main { max-width: 26rem; margin: 0 auto } main.wide { max-width: 64rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.2rem; margin-top: 2rem }
nav { display: flex; flex-wrap: wrap; gap: 1rem; justify-content: end }
label { display: grid; gap: .2rem; margin-top: .8rem; font-weight: 600 }
input, select, button { font: inherit; padding: .5rem .6rem; border: 1px solid var(--line); border-radius: .4rem; min-height: 2.6rem; max-width: 100% }
button { cursor: pointer; margin-top: 1rem } button.primary { background: var(--accent); color: light-dark(#fff, #10151c); border-color: transparent; width: 100% }
td button { margin: 0; min-height: 2.2rem; padding: .2rem .6rem } form.inline { display: inline }
a { color: var(--accent) } :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
small, .soft { color: var(--soft); font-weight: 400 } .error { color: var(--error); border: 1px solid; border-radius: .4rem; padding: .5rem .8rem } .good { color: var(--good) }
.scroll { overflow-x: auto } table { border-collapse: collapse; width: 100% } th, td { text-align: start; padding: .45rem .7rem .45rem 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere }
.pair { display: flex; flex-wrap: wrap; gap: .8rem; align-items: end }
`

export interface PageOptions extends Pick<Policy, "formTargets"> {
  readonly language: Language
  readonly title: string
  readonly status?: number
  readonly wide?: boolean
  readonly headers?: Readonly<Record<string, string>>
}

export const page = ({ formTargets = [], headers = {}, language, status = 200, title, wide = false }: PageOptions, ...children: ReadonlyArray<ComponentChildren>): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(
    document({ language, title, style },
      h("nav", { "aria-label": words[language].language }, ...languageLinks(language)),
      h("main", wide ? { class: "wide" } : null, h("h1", null, title), ...children)),
    {
      status,
      contentType: "text/html; charset=utf-8",
      headers: { "cache-control": "no-store", vary: "accept-language, cookie", ...documentHeaders(style, { formTargets }), ...headers }
    }
  )

/** A sentence that is read out as soon as it is there. */
export const alert = (text: string | undefined) => text === undefined ? null : h("p", { class: "error", role: "alert" }, text)

/** A field with its label. */
export const field = (label: string, input: Readonly<Record<string, unknown>>, hint?: string) => h("label", null, label, h("input", input), hint === undefined ? null : h("small", null, hint))

export const submit = (text: string) => h("button", { type: "submit", class: "primary" }, text)

/** A form of one button, with what goes along. */
export const button = (text: string, about: string, formToken: string, action: string, fields: Readonly<Record<string, string | number>>) =>
  h("form", { method: "post", action, class: "inline" },
    h("input", { type: "hidden", name: "form_token", value: formToken }),
    ...Object.entries(fields).map(([name, value]) => h("input", { type: "hidden", name, value: String(value) })),
    h("button", { type: "submit", "aria-label": `${text}: ${about}` }, text))

export const wordsOf = (language: Language) => words[language]
