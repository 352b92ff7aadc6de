/** Public pages of a link, without script. Pure. */
import { type ComponentChildren, h } from "preact"
import { HttpServerResponse } from "effect/http"
import { document, documentHeaders, languageLinks } from "#core/html/Document.ts"
import type { Language } from "#core/words/Language.ts"
import type { ProvisioningAnswer } from "./Api.ts"
import { words } from "./Words.ts"

/** Contrast of text against its background: at least 4.5 to 1 (WCAG 2.2 §1.4.3). */
const style = `
:root { color-scheme: light dark; --ground: light-dark(#f2f4f7, #11151a); --text: light-dark(#1a2028, #e6e9ed);
  --card: light-dark(#fff, #1a2027); --rule: light-dark(#dde1e7, #333b45); --accent: light-dark(#0b57a4, #8cc2ff);
  --on: light-dark(#fff, #10151c) }
* { box-sizing: border-box }
html { background: var(--ground); color: var(--text) }
body { font: 1.0625rem/1.5 system-ui, sans-serif; margin: 0 auto; padding: 1rem 1rem 3rem; max-width: 40rem }
nav { display: flex; gap: 1rem; justify-content: end; padding: .4rem .2rem; font-size: .95rem }
nav a[aria-current] { color: inherit; font-weight: 600; text-decoration: none }
main { background: var(--card); border: 1px solid var(--rule); border-radius: .8rem; padding: 1.2rem 1.3rem }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .8rem } h2 { font-size: 1.1rem; margin: 1.2rem 0 .3rem }
p { margin: .6rem 0; overflow-wrap: anywhere } a { color: var(--accent) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
button { font: inherit; font-weight: 600; min-height: 2.75rem; padding: .6rem 1.1rem; cursor: pointer; border: 0;
  border-radius: .45rem; background: var(--accent); color: var(--on); max-width: 100% }
dl { display: grid; grid-template-columns: minmax(7rem, max-content) 1fr; gap: .35rem 1rem; margin: .4rem 0 }
dd { margin: 0; overflow-wrap: anywhere } code { user-select: all }
`

const languageName = { en: "Language", de: "Sprache" } as const

const page = (
  language: Language,
  { headers = {}, linked = true, status = 200, title }: PageOptions,
  ...children: ReadonlyArray<ComponentChildren>
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(
    document(
      { language, title, style },
      linked ? h("nav", { "aria-label": languageName[language] }, ...languageLinks(language)) : null,
      h("main", null, h("h1", null, title), ...children)
    ),
    {
      status,
      contentType: "text/html; charset=utf-8",
      headers: {
        "cache-control": "no-store",
        vary: "accept, accept-language",
        ...documentHeaders(style),
        // The address has the token.
        "referrer-policy": "no-referrer",
        "x-robots-tag": "noindex, nofollow",
        ...headers
      }
    }
  )

interface PageOptions {
  readonly title: string
  readonly status?: number
  /** Whether the page links to itself in the other languages. False for the answer to a POST. */
  readonly linked?: boolean
  readonly headers?: Readonly<Record<string, string>>
}

/** The button posts to the address of the page. */
const button = (text: string) => h("form", { method: "post" }, h("button", { type: "submit" }, text))

/** The page of every link, valid or not: it reads nothing, so it tells a stranger nothing. */
export const buttonPage = (language: Language) => {
  const t = words[language]
  return page(language, { title: t.title }, h("p", null, t.text), h("p", null, t.hint), button(t.button))
}

export const gonePage = (language: Language) => {
  const t = words[language]
  return page(language, { title: t.gone, status: 404, linked: false }, h("p", null, t.goneText))
}

export const awayPage = (language: Language) => {
  const t = words[language]
  return page(language, { title: t.away, status: 503, linked: false }, h("p", null, t.awayText), button(t.again))
}

export const tooManyPage = (language: Language, seconds: number) => {
  const t = words[language]
  const headers = { "retry-after": String(seconds) }
  return page(
    language,
    { title: t.tooMany, status: 429, linked: false, headers },
    h("p", null, t.tooManyText),
    button(t.again)
  )
}

/** The settings of a new device, for a person who copies them. */
export const donePage = (language: Language, { server_url, services }: ProvisioningAnswer) => {
  const t = words[language]
  return page(
    language,
    { title: t.done, linked: false },
    h("p", null, t.doneText),
    h("dl", null, h("dt", null, t.server), h("dd", null, h("code", null, server_url))),
    ...services.flatMap(({ config, name }) =>
      config === undefined
        ? []
        : [
            h("h2", null, name),
            h(
              "dl",
              null,
              ...Object.entries(config).flatMap(([key, value]) =>
                typeof value !== "string" || key === "login_token"
                  ? []
                  : [h("dt", null, key), h("dd", null, h("code", null, value))]
              )
            )
          ]
    )
  )
}
