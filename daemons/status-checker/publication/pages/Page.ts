/** Frame of every page: header, languages and footer links. Pure. */
import { type ComponentChildren, h } from "preact"
import { HttpServerResponse } from "effect/http"
import { defaultBrandName } from "#core/config/BrandSettings.ts"
import { document, documentHeaders, languageLinks } from "#core/html/Document.ts"
import { formatLocaleOf } from "#core/words/ChooseLanguage.ts"
import type { LanguageCode } from "#core/words/TextMemory.ts"
import { localTimes } from "./LocalTimes.ts"
import { style } from "./Style.ts"
import { words } from "./Words.ts"

/** Security headers of every page, including the ban on framing. */
export const pageHeaders: Readonly<Record<string, string>> = documentHeaders(style, {
  images: "data:",
  script: localTimes
})

/**
 * The same policy for the page itself, because a proxy that sends the written page does not know its hashes, which
 * change with versions. Browsers ignore `frame-ancestors` here; the proxy sends it.
 */
const ownPolicy = pageHeaders["content-security-policy"]!.replace(" frame-ancestors 'none';", "")

export interface PageOptions {
  readonly language: LanguageCode
  readonly title: string
  /** Address of the page in another language. Default: the query `lang` alone. */
  readonly address?: (language: LanguageCode) => string
  readonly listed?: boolean
  /** Description for link previews. */
  readonly description?: string
  /** SVG text of the tab icon. */
  readonly icon?: string
  /** Name and logo before the title of the site. */
  readonly brand?: PageBrand | undefined
}

/** What the settings of the installation say. `logo`: picture as data: address. */
export interface PageBrand {
  readonly name: string
  readonly logo: string | undefined
}

/** Name and logo of the installation; nothing for our own name without a logo. */
const brandParts = (brand: PageBrand | undefined): ReadonlyArray<ComponentChildren> =>
  brand === undefined
    ? []
    : [
        brand.logo === undefined ? null : h("img", { src: brand.logo, alt: "", height: 24 }),
        brand.name === defaultBrandName ? null : ` ${brand.name} · `
      ]

/** Default icon, which keeps browsers from requesting /favicon.ico. */
const noIcon =
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">` + `<circle cx="8" cy="8" r="7" fill="#5b6675"/></svg>`

export const html = (
  { address, brand, description, icon = noIcon, language, listed = false, title }: PageOptions,
  ...children: ReadonlyArray<ComponentChildren>
): string => {
  const t = words(language)
  return document(
    {
      language,
      title,
      style,
      listed,
      head: [
        h("meta", { "http-equiv": "Content-Security-Policy", content: ownPolicy }),
        description === undefined ? null : h("meta", { name: "description", content: description }),
        h("link", { rel: "icon", href: `data:image/svg+xml,${encodeURIComponent(icon)}` }),
        h("link", {
          rel: "alternate",
          type: "application/atom+xml",
          title: t.feed,
          href: `/feed.atom?lang=${language}`
        })
      ]
    },
    h("a", { class: "skip", href: "#main" }, t.skip),
    h(
      "header",
      null,
      h("a", { class: "site", href: `/?lang=${language}` }, ...brandParts(brand), t.site),
      h("nav", { "aria-label": t.language }, ...languageLinks(language, address))
    ),
    h("main", { id: "main", tabindex: -1 }, ...children),
    h(
      "footer",
      null,
      h(
        "ul",
        null,
        h("li", null, h("a", { href: `/history?lang=${language}` }, t.history)),
        h("li", null, h("a", { href: `/feed.atom?lang=${language}` }, t.feed)),
        h("li", null, h("a", { href: `/badge.svg?lang=${language}` }, t.badge)),
        h("li", null, h("a", { href: "/api/docs" }, t.api))
      ),
      h("p", { id: "zone", "data-locale": formatLocaleOf(language), "data-local": t.localTimes }, t.allTimes)
    ),
    // Inserted unescaped, because the hash covers exactly this text.
    h("script", { dangerouslySetInnerHTML: { __html: localTimes } })
  )
}

/** Uncached page for one visitor. */
export const answer = (
  options: PageOptions & { readonly status?: number },
  ...children: ReadonlyArray<ComponentChildren>
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(html(options, ...children), {
    status: options.status ?? 200,
    contentType: "text/html; charset=utf-8",
    headers: { ...pageHeaders, "cache-control": "no-store", vary: "accept-language" }
  })
