/**
 * What a form of ours is told from a stranger's by: a value in a cookie that no other host can set, repeated in the
 * form, and the Origin that browsers send. Sources: RFC 6265bis §4.1.3.2 (`__Host-`), OWASP Cross-Site Request Forgery
 * Prevention (double submit).
 */
import { randomBytes, timingSafeEqual } from "node:crypto"

/** Unit: bytes. */
const tokenBytes = 24

const form = /^[A-Za-z0-9_-]{32}$/

/**
 * Over plain http, which is for trying things out, the prefix and Secure are left out: browsers want https for them.
 */
const nameFor = (base: string): string => (base.startsWith("https:") ? "__Host-edge_form" : "edge_form")

export const newFormToken = (): string => randomBytes(tokenBytes).toString("base64url")

/** The one the browser has; undefined: none, or something else. */
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

/** Whether the form came from a page of ours. */
export const isOurs = (options: {
  readonly cookies: string | undefined
  readonly origin: string | undefined
  readonly sent: string | undefined
  readonly base: string
}): boolean => {
  const held = formTokenOf(options.cookies, options.base)
  // What has another form could have another length in bytes, which the comparison does not take.
  if (held === undefined || options.sent === undefined || !form.test(options.sent)) return false
  if (options.origin !== undefined && options.origin !== new URL(options.base).origin) return false
  return timingSafeEqual(Buffer.from(held), Buffer.from(options.sent))
}
