/**
 * Whether a request that a cookie speaks for was made by a page of ours. SameSite=Strict alone lets pages of sibling
 * hosts and of other ports through; a JSON content type no other site can send without asking first. Pure. Sources:
 * Fetch Metadata §2.4; Fetch §3.2 (Origin), §3.3.5; RFC 6265bis §8.8.2.
 */

type Headers = Readonly<Record<string, string | undefined>>

/** What is wrong, in words for the caller, or nothing. `base`: our address as browsers know it. */
export const foreign = (base: string, headers: Headers): string | undefined => {
  const { host, origin, "sec-fetch-site": site } = headers
  // What the browser itself says of where it comes from; it does not depend on how proxies write our name.
  if (site !== undefined) return site === "same-origin" || site === "none" ? undefined : crossSite
  if (origin === undefined || origin === new URL(base).origin) return undefined
  return host !== undefined && URL.parse(origin)?.host === host.toLowerCase() ? undefined : crossSite
}

/** The same, of a request with a body, which has to say that it is JSON: an untyped one passes for a simple request. */
export const foreignBody = (base: string, headers: Headers): string | undefined =>
  foreign(base, headers) ??
  (jsonForm.test(headers["content-type"] ?? "") ? undefined : "Send content-type: application/json.")

const crossSite = "The request comes from a page of another site."
const jsonForm = /^\s*application\/json\s*(?:;|$)/i
