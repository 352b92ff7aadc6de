/**
 * Security headers of all responses. A daemon's own header of the same name wins, so a page can relax its policy.
 * Sources: OWASP Secure Headers Project; CSP Level 3 (W3C); RFC 6797 (HSTS); Fetch and HTML standards.
 *
 * The library helmet 8.3.0 is a middleware, but fast lanes and refused upgrades need the headers as data. It has 610
 * lines, this file 40.
 */

/** HSTS duration: one year, the minimum for browsers' preload lists. Unit: seconds. Source: RFC 6797 §6.1.1. */
export const hstsMaxAge = 31_536_000

/** Default policy: responses are data, so they may not load, run or be framed. Source: CSP3 §6. */
export const defaultPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Policy of the documentation page, which has inline script and style, shows images as data URLs and calls our API. */
export const docsPolicy =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src 'self' data:; font-src data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Headers of every response, with http and https. */
export const always: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  // For browsers that do not support frame-ancestors.
  "x-frame-options": "DENY",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "x-permitted-cross-domain-policies": "none"
}

/** The headers of one response. HSTS only over https, because RFC 6797 §7.2 forbids it otherwise. */
export const forRequest = (path: string, secure: boolean): Readonly<Record<string, string>> => ({
  ...always,
  "content-security-policy": path === "/docs" || path === "/api/docs" ? docsPolicy : defaultPolicy,
  ...(secure ? { "strict-transport-security": `max-age=${hstsMaxAge}` } : {})
})
