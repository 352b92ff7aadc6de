/**
 * Error page of a refused sign-in: one self-contained page without script; its style is allowed by hash. It contains no
 * text from a provider.
 */
import type { Brand } from "#core/config/BrandSettings.ts"
import { brandHead, brandStyle, presentBrand } from "#core/html/Brand.ts"
import { escaped } from "#core/html/Escape.ts"
import { createHash } from "node:crypto"
import { Fragment, h } from "preact"
import { renderToString } from "preact-render-to-string"
import { defaultPolicy } from "#core/gateway/SecurityHeaders.ts"
import { shippedTexts } from "#core/words/ShippedTexts.ts"
import type { LanguageCode } from "#core/words/TextMemory.ts"
import { textOf } from "./ErrorTexts.ts"
import type { Reason } from "./FederationRefused.ts"

const style = `
:root { color-scheme: light dark }
body { font: 1.0625rem/1.5 system-ui, sans-serif; max-width: 36rem; margin: 3rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem; line-height: 1.25 } a { color: inherit } code { font-size: 1em }
${brandStyle}`

/** Content security policy: the page's own style, and the logo if there is one. */
export const policy = ({ brandLogo }: Brand = presentBrand()): string =>
  `${defaultPolicy}; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'` +
  (brandLogo === undefined ? "" : "; img-src data:")

export interface ErrorPage {
  readonly reason: Reason
  readonly language: LanguageCode
  /** Identifier that is also logged, to find the refusal. */
  readonly correlation: string
  /** URL to start the sign-in again; undefined when the provider does not exist. */
  readonly startUrl: string | undefined
  /** Default: the present one. */
  readonly brand?: Brand
}

const words = shippedTexts("identity.federation-page", {
  en: { retry: "Try again", number: "If you ask for help, give this number:" },
  de: { retry: "Noch einmal versuchen", number: "Wenn Sie um Hilfe bitten, nennen Sie diese Nummer:" }
})

export const render = ({
  brand = presentBrand(),
  correlation,
  language,
  reason,
  startUrl
}: ErrorPage): { readonly status: number; readonly html: string } => {
  const { mayRetry, status, text, title } = textOf(reason, language)
  const link =
    mayRetry && startUrl !== undefined
      ? `<p><a href="${escaped(startUrl)}">${escaped(words(language).retry)}</a></p>\n`
      : ""
  return {
    status,
    html: `<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${renderToString(h(Fragment, null, ...brandHead(brand)))}
<h1>${escaped(title)}</h1>
<p role="alert">${escaped(text)}</p>
${link}<p><small>${escaped(words(language).number)} <code>${escaped(correlation)}</code></small></p>
</main>
</body>
</html>
`
  }
}
