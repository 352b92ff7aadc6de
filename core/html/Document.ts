/**
 * Frame of a server-rendered page: one document, whose style is allowed by its hash. Built with preact
 * elements, which escape all text. The daemon supplies the style. Pure. Source of the policy: CSP3 §6.
 */
import { type ComponentChild, type ComponentChildren, h } from "preact"
import { renderToString } from "preact-render-to-string"
import { createHash } from "node:crypto"
import { type LanguageCode, offeredLanguages } from "../words/TextMemory.ts"

export interface DocumentOptions {
  readonly language: LanguageCode
  readonly title: string
  /** The complete style sheet. Pass the same text to `documentHeaders`. */
  readonly style: string
  /** Whether search engines may index the page. Default: no. */
  readonly listed?: boolean
  /** Additional elements of `<head>`, besides charset, viewport, title and style. */
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
        // Inserted unescaped, because the hash covers exactly this text.
        h("style", { dangerouslySetInnerHTML: { __html: style } }),
        ...head
      ),
      h("body", null, ...body)
    )
  )}`

export interface Policy {
  /** Additional form targets besides this site, redirects included (CSP3 §6.4.1). */
  readonly formTargets?: ReadonlyArray<string>
  /** Allowed image sources, such as `data:`. Default: none. */
  readonly images?: string
  /** The one script of the page, which its hash allows. Default: none. */
  readonly script?: string
}

/** Source expression that allows exactly this text. Source: CSP3 §2.3.1. */
const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`

/** Response headers of a page with this style: its content security policy, and headers common to all pages. */
export const documentHeaders = (style: string, { formTargets = [], images, script }: Policy = {}) => ({
  "content-security-policy":
    `default-src 'none'; style-src ${hashOf(style)};` +
    (script === undefined ? "" : ` script-src ${hashOf(script)};`) +
    (images === undefined ? "" : ` img-src ${images};`) +
    ` base-uri 'none'; frame-ancestors 'none'; form-action ${["'self'", ...formTargets].join(" ")}`,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  // Not no-referrer: browsers would then send no Origin with a form, and forms of other sites are recognised by their
  // Origin.
  "referrer-policy": "same-origin"
})

/**
 * Links to the same page in each offered language. `address` gives the URL per language; by default the current page
 * with the query `?lang=…`.
 */
export const languageLinks = (
  language: LanguageCode,
  address: (language: LanguageCode) => string = (one) => `?lang=${one}`
) =>
  offeredLanguages().map(({ code, label }) =>
    h(
      "a",
      { href: address(code), lang: code, hreflang: code, "aria-current": code === language ? "true" : undefined },
      label
    )
  )
