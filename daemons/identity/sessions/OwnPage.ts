/**
 * Decides whether a cookie-authenticated request was sent by one of our own pages. SameSite=Strict alone admits pages
 * of sibling hosts and other ports. A JSON content type additionally requires a CORS preflight from other sites. Pure.
 * Sources: Fetch Metadata §2.4; Fetch §3.2 (Origin), §3.3.5; RFC 6265bis §8.8.2.
 */

type Headers = Readonly<Record<string, string | undefined>>

/** Describes the violation; undefined for a request of our own page. `base`: public base address. */
export const originProblem = (base: string, headers: Headers): string | undefined => {
  const { host, origin, "sec-fetch-site": site } = headers
  // The browser reports the origin itself, independent of how proxies rewrite the host.
  if (site !== undefined) return site === "same-origin" || site === "none" ? undefined : crossSite
  if (origin === undefined || origin === new URL(base).origin) return undefined
  return host !== undefined && URL.parse(origin)?.host === host.toLowerCase() ? undefined : crossSite
}

/**
 * Like `foreign`, for a request with a body, which must be declared as JSON. Browsers send other content types without
 * preflight.
 */
export const requestProblem = (base: string, headers: Headers): string | undefined =>
  originProblem(base, headers) ??
  (jsonForm.test(headers["content-type"] ?? "") ? undefined : "Send content-type: application/json.")

const crossSite = "A page of another site sent the request."
const jsonForm = /^\s*application\/json\s*(?:;|$)/i
