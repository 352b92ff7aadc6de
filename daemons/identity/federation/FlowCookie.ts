/**
 * Cookie that binds a sign-in in progress (flow) to the browser that started it. Its value is the only secret of the
 * flow: the database stores its hash, and the code verifier (RFC 7636 §4.1) is derived from it. So neither a copy of
 * the database nor a stolen response can complete the sign-in. Each flow has its own cookie, so that two windows do not
 * interfere. Pure except for randomness.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto"
import { Cookie } from "../sessions/Exports.ts"

/** Time for a user to sign in at the provider. Unit: seconds. */
export const flowLifetime = 600

/** Length of the secret. Unit: bytes. Source: RFC 7636 §7.1, 256 bits. */
const secretBytes = 32

/** Path of the cookie: the callback endpoints only. */
export const cookiePath = "/api/v1/auth/oidc"

/** Cookie name of a flow. */
export const cookieName = (state: string): string => `signalbox_oidc_${hashOf(state).toString("hex").slice(0, 16)}`

/** Stored hash of a secret or a state. */
export const hashOf = (text: string): Buffer => createHash("sha256").update(text).digest()

export const newSecret = (): string => randomBytes(secretBytes).toString("base64url")

/** Code verifier of a flow: 43 characters that reveal nothing about the secret. */
export const verifierOf = (secret: string): string =>
  createHmac("sha256", secret).update("code verifier").digest("base64url")

/** Whether the request comes from the browser that started the flow. */
export const isSameBrowser = (secret: string | undefined, browserHash: Uint8Array): secret is string =>
  secret !== undefined && timingSafeEqual(hashOf(secret), browserHash)

/** Header that sets the cookie. `base`: public base address. */
export const setCookie = (base: string, state: string, secret: string): string =>
  cookie(base, state, secret, flowLifetime)

/** Header that deletes the cookie. */
export const clearCookie = (base: string, state: string): string => cookie(base, state, "", 0)

/** SameSite=Lax, because the return is a navigation from another site. Source: RFC 6265bis §5.6.7.1. */
const cookie = (base: string, state: string, value: string, maxAge: number): string =>
  Cookie.setCookie(base, { name: cookieName(state), value, path: cookiePath, maxAge, sameSite: "Lax" })
