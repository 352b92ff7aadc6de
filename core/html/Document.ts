/**
 * The frame of a page that the server renders: one document without script, its style admitted by hash. Written with
 * preact's elements, so that text is text whatever stands in it. How it looks is its daemon's business. Pure. Source of
 * the policy: CSP3 §6.
 */
import { type ComponentChild, type ComponentChildren, h } from "preact"
import { renderToString } from "preact-render-to-string"
import { createHash } from "node:crypto"
import { type Language, languages } from "../words/Language.ts"

export interface DocumentOptions {
  readonly language: Language
  readonly title: string
  /** All of it; the headers that go along are those of `documentHeaders` with the same text. */
  readonly style: string
  /** Whether search engines may list it. Default: no. */
  readonly listed?: boolean
  /** Beside charset, viewport, title and style. */
  readonly head?: ReadonlyArray<ComponentChild>
}

export const document = (
  { head = [], language, listed = false, style, title }: DocumentOptions,
  ...body: ReadonlyArray<ComponentChildren>
): string =>
  `<!DOCTYPE html>${renderToString(
    h(
      "html",
      { lang: language },
      h(
        "head",
        null,
        h("meta", { charset: "utf-8" }),
        h("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
        listed ? null : h("meta", { name: "robots", content: "noindex" }),
        h("title", null, title),
        // Not escaped as text would be: the hash is of what stands here.
        h("style", { dangerouslySetInnerHTML: { __html: style } }),
        ...head
      ),
      h("body", null, ...body)
    )
  )}`

export interface Policy {
  /** Where forms may lead, redirects included (CSP3 §6.4.1); besides ourselves. */
  readonly formTargets?: ReadonlyArray<string>
  /** Sources of images, as `data:`. Default: none. */
  readonly images?: string
}

/** What a page with this style may do, and what goes with every page. */
export const documentHeaders = (style: string, { formTargets = [], images }: Policy = {}) => ({
  "content-security-policy":
    `default-src 'none'; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}';${images === undefined ? "" : ` img-src ${images};`}` +
    ` base-uri 'none'; frame-ancestors 'none'; form-action ${["'self'", ...formTargets].join(" ")}`,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  // Not no-referrer: browsers then send no Origin with a form, and it is what forms are told from strangers' by.
  "referrer-policy": "same-origin"
})

const languageNames: Readonly<Record<Language, string>> = { de: "Deutsch", en: "English" }

/**
 * The same page in each language. `address`: of it in that one; default: where it is, with `lang` alone for a query.
 */
export const languageLinks = (language: Language, address: (language: Language) => string = (one) => `?lang=${one}`) =>
  languages.map((one) =>
    h(
      "a",
      { href: address(one), lang: one, hreflang: one, "aria-current": one === language ? "true" : undefined },
      languageNames[one]
    )
  )
