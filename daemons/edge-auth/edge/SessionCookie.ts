/**
 * Session token and the cookie that carries it. Only the browser has the token; the database has its hash. Pure.
 * Source: interface document 3 §2.2, RFC 6265bis.
 *
 * The library cookie 2.0.2 returns only the first of several cookies with one name. It takes 2.2 times as long (five
 * cookies, Node 24).
 */
import { hash, randomBytes } from "node:crypto"

/** Length of a token. Unit: bytes. Source: interface document 3 §2.2 (64 hex characters). */
const tokenBytes = 32

/** A random token for the cookie, 64 hex characters. */
export const newToken = (): string => randomBytes(tokenBytes).toString("hex")

/** The stored form of a token: SHA-256, 64 hex characters. */
export const storedForm = (token: string): string => hash("sha256", token, "hex")

export const cookieName = "__platform_auth"

/**
 * Most cookies of our name that are tried. Reason: a host below our domain can set a cookie of the same name, which
 * browsers send before or after ours. More than a few are an attack.
 */
const maxCandidates = 4

const tokenForm = /^[0-9a-f]{64}$/

const start = `${cookieName}=`
const none: ReadonlyArray<string> = []

/**
 * Distinct cookie values that have the form of a token, in the order sent. Searches the header instead of parsing all
 * cookies, because every request comes through here.
 */
export const tokensOf = (header: string | undefined): ReadonlyArray<string> => {
  let at = header === undefined ? -1 : header.indexOf(start)
  if (at === -1) return none
  const found = new Array<string>()
  for (; at !== -1; at = header!.indexOf(start, at + start.length)) {
    if (!beginsPair(header!, at)) continue
    const end = header!.indexOf(";", at)
    const value = header!.slice(at + start.length, end === -1 ? undefined : end).trim()
    if (tokenForm.test(value) && !found.includes(value) && found.push(value) === maxCandidates) break
  }
  return found
}

/** Whether a cookie pair begins at `at`: only blanks stand between `at` and the previous `;` or the header's start. */
const beginsPair = (header: string, at: number): boolean => {
  for (let index = at - 1; index >= 0; index -= 1) {
    const code = header.charCodeAt(index)
    if (code !== 0x20 && code !== 0x09) return code === 0x3b
  }
  return true
}

/**
 * Value of the `set-cookie` header. `domain` undefined: the cookie is for the answering host only. `maxAge` in seconds;
 * 0 deletes the cookie.
 */
export const sessionCookie = (token: string, domain: string | undefined, maxAge: number): string =>
  `${cookieName}=${token}${domain === undefined ? "" : `; Domain=${domain}`}` +
  `; Path=/; Max-Age=${maxAge}; Secure; HttpOnly; SameSite=Lax`
