/**
 * Protection of forms against cross-site requests. The form repeats a token from a cookie that no other host can set,
 * and the Origin header must be ours. Sources: RFC 6265bis §4.1.3.2 (`__Host-`), OWASP Cross-Site Request Forgery
 * Prevention (double submit).
 *
 * The library csrf-csrf 4.0.3 is a middleware for Express that needs a session. It has 130 lines, this file 50.
 */
import { randomBytes, timingSafeEqual } from "node:crypto"

/** Unit: bytes. */
const tokenBytes = 24

const form = /^[A-Za-z0-9_-]{32}$/

/** Name of the cookie. Over plain http, meant for trials, it has no `__Host-` prefix: browsers require https for it. */
const nameFor = (base: string): string => (base.startsWith("https:") ? "__Host-edge_form" : "edge_form")

export const newFormToken = (): string => randomBytes(tokenBytes).toString("base64url")

/** Form token from the browser's cookies; undefined when it is missing or malformed. */
export const formTokenOf = (cookies: string | undefined, base: string): string | undefined => {
  const start = `${nameFor(base)}=`
  const value = (cookies ?? "")
    .split(";")
    .map((part) => part.trim())
    .find((part) => part.startsWith(start))
    ?.slice(start.length)
  return value !== undefined && form.test(value) ? value : undefined
}

export const formCookie = (token: string, base: string): string =>
  `${nameFor(base)}=${token}; Path=/; HttpOnly; SameSite=Strict${base.startsWith("https:") ? "; Secure" : ""}`

/** Whether the form came from one of our pages. */
export const isOurs = (options: {
  readonly cookies: string | undefined
  readonly origin: string | undefined
  readonly sent: string | undefined
  readonly base: string
}): boolean => {
  const held = formTokenOf(options.cookies, options.base)
  // timingSafeEqual throws when the lengths in bytes differ; the form check guarantees equal lengths.
  if (held === undefined || options.sent === undefined || !form.test(options.sent)) return false
  if (options.origin !== undefined && options.origin !== new URL(options.base).origin) return false
  return timingSafeEqual(Buffer.from(held), Buffer.from(options.sent))
}
