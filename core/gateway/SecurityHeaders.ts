/**
 * The headers that tell browsers to be careful. A daemon's own header of the same name wins, so that a page may ask for
 * what it needs. Sources: OWASP Secure Headers Project; CSP Level 3 (W3C); RFC 6797 (HSTS); Fetch and HTML standards.
 */

/** One year, as browsers' preload lists want at least. Unit: seconds. Source: RFC 6797 §6.1.1. */
export const hstsMaxAge = 31_536_000

/** The default: our answers are data, so nothing in them may load, run, or be framed. Source: CSP3 §6. */
export const defaultPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The documentation page carries its script and style in itself, shows pictures as data URLs, and calls our API. */
export const docsPolicy =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src 'self' data:; font-src data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** On every answer, whatever the scheme. */
export const always: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  // For browsers that know no frame-ancestors.
  "x-frame-options": "DENY",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "x-permitted-cross-domain-policies": "none"
}

/** The headers of one answer. HSTS only over https: RFC 6797 §7.2 forbids it elsewhere. */
export const forRequest = (path: string, secure: boolean): Readonly<Record<string, string>> => ({
  ...always,
  "content-security-policy": path === "/docs" ? docsPolicy : defaultPolicy,
  ...(secure ? { "strict-transport-security": `max-age=${hstsMaxAge}` } : {})
})
