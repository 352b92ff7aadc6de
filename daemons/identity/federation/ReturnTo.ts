/** Target after signing in: a path of this site, never another host. Pure. */

/** Longest path. Unit: characters. Reason: the path is returned in a header, next to others. */
export const maxReturnTo = 1024

/** The web console, which redeems a one-time token in the fragment (`#token=…`) itself. */
export const consolePath = "/console/"

/** Default target. */
export const defaultReturnTo = consolePath

/**
 * Whether `text` is a local path: a single leading slash, and nothing that browsers interpret as another host or remove
 * while parsing (second slash, backslashes, control characters, spaces). Source: WHATWG URL, "basic URL parser".
 */
export const isLocalPath = (text: string): boolean =>
  text.length <= maxReturnTo &&
  /^\/(?!\/)[!-[\]-~]*$/.test(text) &&
  URL.parse(text, probe)?.origin === probe &&
  // Parsing resolves dot segments: `/.//host` becomes `//host`.
  !new URL(text, probe).pathname.startsWith("//")

/**
 * The console page of a local path, without fragment and with dot segments resolved; undefined for a path outside the
 * console.
 */
export const consolePage = (path: string): string | undefined => {
  const { pathname, search } = new URL(path, probe)
  return pathname.startsWith(consolePath) ? pathname + search : undefined
}

/** Placeholder origin that never exists. Source: RFC 2606 §2. */
const probe = "https://local.invalid"
