/**
 * Token of a link that acknowledges one alarm without a sign-in. It names the run and the target that received it, so
 * the ledger shows whose link was used. Signed with HMAC-SHA256, cut to 128 bits (RFC 2104 §5); stored nowhere. Pure.
 */
import { createHmac, timingSafeEqual } from "node:crypto"

/** Purpose of the derived key. */
export const linkUse = "acknowledge link"

/** Lifetime, from the receipt of the alarm. Unit: milliseconds. Reason: a week covers weekends and holidays. */
export const linkLife = 7 * 24 * 3_600_000

/** Path of the console's page. The token follows as the fragment, which browsers send to no server. */
export const linkPath = "/console/acknowledge"

/** Run id, position of the target, and time of expiry in seconds since 1970. Unit: bytes. */
const idBytes = 16
const payloadBytes = idBytes + 2 + 6
const markBytes = 16

export interface AcknowledgeLink {
  readonly runId: string
  /** Position of the target that received the link. */
  readonly position: number
  /** Unit: milliseconds since 1970. */
  readonly expiresAt: number
}

const markOf = (payload: Uint8Array, key: Uint8Array): Buffer =>
  createHmac("sha256", key).update(payload).digest().subarray(0, markBytes)

/** The token: 54 characters that need no escaping in an address. */
export const write = ({ expiresAt, position, runId }: AcknowledgeLink, key: Uint8Array): string => {
  const payload = Buffer.alloc(payloadBytes)
  payload.write(runId.replaceAll("-", ""), "hex")
  payload.writeUInt16BE(position, idBytes)
  payload.writeUIntBE(Math.floor(expiresAt / 1000), idBytes + 2, 6)
  return Buffer.concat([payload, markOf(payload, key)]).toString("base64url")
}

/** The link of a token that one of the keys signed; undefined for any other text, and for an expired one. */
export const read = (text: string, keys: ReadonlyArray<Uint8Array>, now: number): AcknowledgeLink | undefined => {
  if (!/^[\w-]{54}$/.test(text)) return undefined
  const bytes = Buffer.from(text, "base64url")
  if (bytes.length !== payloadBytes + markBytes) return undefined
  const payload = bytes.subarray(0, payloadBytes)
  if (!keys.some((key) => timingSafeEqual(markOf(payload, key), bytes.subarray(payloadBytes)))) return undefined
  const expiresAt = payload.readUIntBE(idBytes + 2, 6) * 1000
  const hex = payload.subarray(0, idBytes).toString("hex")
  const runId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
  return expiresAt <= now ? undefined : { runId, position: payload.readUInt16BE(idBytes), expiresAt }
}
