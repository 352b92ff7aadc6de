/** Decides whether an event of a payment provider is accepted. Pure. Source: interface document 3 §2.6. */
import { Redacted } from "effect"
import { createHmac, timingSafeEqual } from "node:crypto"

/**
 * `wrong`: the signature is missing or wrong. `unsigned`: accepted without a secret. `unconfigured`: refused, because
 * without a secret only this machine may send events.
 */
export type Acceptance = "signed" | "wrong" | "unsigned" | "unconfigured"

/** True when `signature` is the hex HMAC-SHA256 of exactly these bytes. Takes the same time for every wrong one. */
export const isSignedBy = (secret: Redacted.Redacted, body: Uint8Array, signature: string | undefined): boolean => {
  const expected = createHmac("sha256", Redacted.value(secret)).update(body).digest()
  const sent = /^[0-9a-f]{64}$/i.test(signature ?? "") ? Buffer.from(signature ?? "", "hex") : Buffer.alloc(32)
  return timingSafeEqual(expected, sent) && signature !== undefined
}

export const acceptance = (request: {
  readonly secret: Redacted.Redacted | undefined
  readonly body: Uint8Array
  readonly signature: string | undefined
  /** Whether the daemon listens on a loopback address only, and a client on this machine sent the request itself. */
  readonly isLocal: boolean
  readonly acceptsUnsigned: boolean
}): Acceptance => {
  const { acceptsUnsigned, body, isLocal, secret, signature } = request
  if (secret !== undefined) return isSignedBy(secret, body, signature) ? "signed" : "wrong"
  return isLocal || acceptsUnsigned ? "unsigned" : "unconfigured"
}
