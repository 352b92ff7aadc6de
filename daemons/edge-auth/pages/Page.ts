/**
 * The frame of the pages: one document without script, its style admitted by hash. Written with preact's elements, so that text is text
 * whatever stands in it.
 */
import { type ComponentChildren, h } from "preact"
import { renderToString } from "preact-render-to-string"
import { HttpServerResponse } from "effect/http"
import { createHash } from "node:crypto"
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

const styleHash = `'sha256-${createHash("sha256").update(style).digest("base64")}'`

export interface PageOptions {
  readonly language: Language
  readonly title: string
  readonly status?: number
  readonly wide?: boolean
  /** Where forms may lead, redirects included (CSP3 §6.4.1); besides ourselves. */
  readonly formTargets?: ReadonlyArray<string>
  readonly headers?: Readonly<Record<string, string>>
}

export const page = ({ formTargets = [], headers = {}, language, status = 200, title, wide = false }: PageOptions, ...children: ReadonlyArray<ComponentChildren>): HttpServerResponse.HttpServerResponse => {
  const html = renderToString(h("html", { lang: language },
    h("head", null,
      h("meta", { charset: "utf-8" }),
      h("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
      h("meta", { name: "robots", content: "noindex" }),
      h("title", null, title),
      // Not escaped as text would be: the hash is of what stands here.
      h("style", { dangerouslySetInnerHTML: { __html: style } })),
    h("body", null,
      h("nav", { "aria-label": language === "de" ? "Sprache" : "Language" }, ...(["en", "de"] as const).map((one) =>
        h("a", { href: `?lang=${one}`, lang: one, hreflang: one, "aria-current": one === language ? "true" : undefined }, one === "de" ? "Deutsch" : "English"))),
      h("main", wide ? { class: "wide" } : null, h("h1", null, title), ...children))))
  return HttpServerResponse.text(`<!DOCTYPE html>${html}`, {
    status,
    contentType: "text/html; charset=utf-8",
    headers: {
      "cache-control": "no-store",
      "content-security-policy": `default-src 'none'; style-src ${styleHash}; base-uri 'none'; frame-ancestors 'none'; form-action ${["'self'", ...formTargets].join(" ")}`,
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      // Not no-referrer: browsers then send no Origin with a form, and it is what forms are told from strangers' by.
      "referrer-policy": "same-origin",
      vary: "accept-language, cookie",
      ...headers
    }
  })
}

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
