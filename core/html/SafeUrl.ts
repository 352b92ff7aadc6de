/**
 * Validates untrusted URLs: parses them as a browser does and accepts only the given schemes. Pure; opens nothing.
 * Source: WHATWG URL Standard (the parser also drops leading blanks, tabs and line breaks).
 *
 * The library @braintree/sanitize-url 7.1.2 refuses known bad schemes and keeps all others, such as `file:`. It has 90
 * lines, this file 30.
 */

/** Longest accepted URL. Unit: characters. Reason: RFC 9110 §4.1 recommends support for at least 8,000 bytes. */
export const maxUrl = 8000

/** Schemes of links: pages, mail and telephone calls. */
export const linkSchemes: ReadonlyArray<string> = ["http", "https", "mailto", "tel"]

/** Schemes of resources fetched over HTTP. */
export const webSchemes: ReadonlyArray<string> = ["http", "https"]

/** The normalised URL; undefined when it is invalid, relative or has another scheme. */
export const safeUrl = (text: string, schemes: ReadonlyArray<string>): string | undefined => {
  if (text.length > maxUrl || !URL.canParse(text)) return undefined
  const { hostname, href, protocol } = new URL(text)
  if (!schemes.includes(protocol.slice(0, -1)) || href.length > maxUrl) return undefined
  if (webSchemes.includes(protocol.slice(0, -1)) && hostname === "") return undefined
  // Accepts only a stable form, so that cleaning a page twice changes nothing.
  return URL.canParse(href) && new URL(href).href === href ? href : undefined
}

/** Whether the URL is an embedded (`data:`) image. SVG is refused because it is a document that can contain script. */
export const isInlineImage = (text: string): boolean =>
  /^data:image\/(?:png|jpeg|gif|webp|bmp);base64,[A-Za-z0-9+/]+={0,2}$/.test(text)
