/**
 * A browser's push subscription, as its page reports it. Pure. Source: Push API (W3C), PushSubscriptionJSON; RFC 8291
 * §2.
 */
import { Schema } from "effect"
import { ECDH } from "node:crypto"

/** Longest address of a push service. Unit: characters. Reason: real ones have a few hundred. */
const maxEndpoint = 1_000

/** Bytes of an uncompressed P-256 point, and of the secret shared with the browser. Source: RFC 8291 §2, §3.2. */
const pointBytes = 65
const authBytes = 16

/** Https only: anybody who reads the address in transit could push to it. */
const Endpoint = Schema.String.check(
  Schema.isMaxLength(maxEndpoint),
  Schema.makeFilter((text: string) => {
    const url = URL.parse(text)
    return url?.protocol === "https:" && url.username === "" && url.password === "" && /^[\x21-\x7e]+$/.test(text)
      ? undefined
      : "must be an https URL"
  })
)

const base64url = (text: string, bytes: number): Buffer | undefined => {
  const read = Buffer.from(text, "base64url")
  return /^[A-Za-z0-9_-]+={0,2}$/.test(text) && read.length === bytes ? read : undefined
}

const isPoint = (bytes: Buffer): boolean => {
  try {
    ECDH.convertKey(bytes, "prime256v1")
    return true
  } catch {
    return false
  }
}

const PublicKey = Schema.String.check(
  Schema.isMaxLength(100),
  Schema.makeFilter((text: string) => {
    const point = base64url(text, pointBytes)
    return point !== undefined && isPoint(point) ? undefined : "must be a P-256 public key, base64url"
  })
)

const AuthSecret = Schema.String.check(
  Schema.isMaxLength(100),
  Schema.makeFilter((text: string) =>
    base64url(text, authBytes) === undefined ? `must be ${authBytes} bytes, base64url` : undefined
  )
)

export const PushSubscription = Schema.Struct({
  endpoint: Endpoint,
  keys: Schema.Struct({ p256dh: PublicKey, auth: AuthSecret })
})
export type PushSubscription = typeof PushSubscription.Type
