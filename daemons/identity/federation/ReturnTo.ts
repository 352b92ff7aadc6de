/** Where somebody is led after signing in: a place of our own, never another host. Pure. */

/** Unit: characters. Reason: it comes back in a header, beside others. */
export const maxReturnTo = 1024

/** The web console, which changes a one-time token in its fragment (`#token=…`) by itself. */
export const consolePath = "/console/"

/** Where nothing was asked for. */
export const defaultReturnTo = consolePath

/**
 * Whether `text` is a path of ours: one slash at its beginning, and none of what browsers read as a way to another host
 * or cut out before they look: a second slash, backslashes, control characters, spaces. Source: WHATWG URL, "basic URL
 * parser".
 */
export const isLocalPath = (text: string): boolean =>
  text.length <= maxReturnTo &&
  /^\/(?!\/)[!-[\]-~]*$/.test(text) &&
  URL.parse(text, probe)?.origin === probe &&
  // Dots are resolved before the path is used: `/.//host` is `//host` by then.
  !new URL(text, probe).pathname.startsWith("//")

/** Where a local path is the console's, the same without a fragment, dots resolved; else nothing. */
export const consolePage = (path: string): string | undefined => {
  const { pathname, search } = new URL(path, probe)
  return pathname.startsWith(consolePath) ? pathname + search : undefined
}

/** An origin that is nobody's. Source: RFC 2606 §2. */
const probe = "https://local.invalid"
