/**
 * The cookie that ties a way out to the browser that went. Its value is the only secret of the way: the database keeps
 * its hash, and the code verifier (RFC 7636 §4.1) is made from it, so that neither a copy of the database nor a stolen
 * answer is enough to end somebody's sign-in. One cookie a way, so that two windows do not disturb each other. Pure but
 * for randomness.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto"
import { Cookie } from "../sessions/Exports.ts"

/** How long somebody may take at the provider. Unit: seconds. */
export const flowLifetime = 600

/** Unit: bytes. Source: RFC 7636 §7.1, 256 bits. */
const secretBytes = 32

/** Where the cookie is sent: to the ways back, and nowhere else. */
export const cookiePath = "/api/v1/auth/oidc"

/** How the cookie of a way is called. */
export const cookieName = (state: string): string => `signalbox_oidc_${hashOf(state).toString("hex").slice(0, 16)}`

/** What is stored of a secret or a state. */
export const hashOf = (text: string): Buffer => createHash("sha256").update(text).digest()

export const newSecret = (): string => randomBytes(secretBytes).toString("base64url")

/** The code verifier of a way: 43 characters, which tell nothing of the secret. */
export const verifierOf = (secret: string): string =>
  createHmac("sha256", secret).update("code verifier").digest("base64url")

/** Whether this is the browser that left. */
export const isSameBrowser = (secret: string | undefined, browserHash: Uint8Array): secret is string =>
  secret !== undefined && timingSafeEqual(hashOf(secret), browserHash)

/** The header that sets it. `base`: our address as browsers know it. */
export const setCookie = (base: string, state: string, secret: string): string =>
  cookie(base, state, secret, flowLifetime)

/** The header that takes it away. */
export const clearCookie = (base: string, state: string): string => cookie(base, state, "", 0)

/** Lax, because the way back is a navigation from another site. Source: RFC 6265bis §5.6.7.1. */
const cookie = (base: string, state: string, value: string, maxAge: number): string =>
  Cookie.setCookie(base, { name: cookieName(state), value, path: cookiePath, maxAge, sameSite: "Lax" })
