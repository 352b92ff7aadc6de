/**
 * Addresses that strangers write into pages: read as a browser reads them, and given on only when their scheme is one
 * of those asked for. Pure; opens nothing. Source: WHATWG URL Standard (leading blanks, tabs and line breaks inside are
 * dropped there too).
 */

/**
 * Longest address that is kept. Unit: characters. Reason: what browsers and servers take at least (RFC 9110 §4.1 names
 * 8,000 bytes).
 */
export const maxUrl = 8000

/** Where a link may lead: pages, mail, and a call. */
export const linkSchemes: ReadonlyArray<string> = ["http", "https", "mailto", "tel"]

/** What is fetched over the net. */
export const webSchemes: ReadonlyArray<string> = ["http", "https"]

/** The address in its one normal form; undefined when it is none, is relative, or has another scheme. */
export const safeUrl = (text: string, schemes: ReadonlyArray<string>): string | undefined => {
  if (text.length > maxUrl || !URL.canParse(text)) return undefined
  const { hostname, href, protocol } = new URL(text)
  if (!schemes.includes(protocol.slice(0, -1)) || href.length > maxUrl) return undefined
  if (webSchemes.includes(protocol.slice(0, -1)) && hostname === "") return undefined
  // Reading it once more changes nothing, so cleaning a page twice does not either.
  return URL.canParse(href) && new URL(href).href === href ? href : undefined
}

/** An image that stands in the address itself. No SVG: it is a document of its own. */
export const isInlineImage = (text: string): boolean =>
  /^data:image\/(?:png|jpeg|gif|webp|bmp);base64,[A-Za-z0-9+/]+={0,2}$/.test(text)
