/**
 * Request headers that a client may not send: identity headers (only edge-auth sets them, in its answers to the proxy),
 * and forwarded headers unless the peer is a trusted proxy. One list serves the rule and its prefilter. Pure.
 */

/** A name ending in `-` is a prefix, any other a whole name. Lower case. */
export const identityHeaders = ["x-auth-", "remote-user", "remote-name", "remote-email", "remote-groups"] as const
export const forwardedHeaders = ["forwarded", "x-forwarded-", "x-original-", "x-real-ip"] as const

const identityBit = 1
const forwardedBit = 2

const matcher = (names: ReadonlyArray<string>): ((name: string) => boolean) => {
  const whole = new Set(names.filter((name) => !name.endsWith("-")))
  const prefixes = names.filter((name) => name.endsWith("-"))
  return (name) => whole.has(name) || prefixes.some((prefix) => name.startsWith(prefix))
}

const isIdentity = matcher(identityHeaders)
/** Whether a header says that a proxy sent the request on. `name` is in lower case. */
export const isForwardedHeader = matcher(forwardedHeaders)

/** Whether a header is removed. `name` is in lower case. */
export const isStripped = (name: string, mayForward: boolean): boolean =>
  isIdentity(name) || (!mayForward && isForwardedHeader(name))

/**
 * Slot of a name in `candidates`: its first and third letter. Setting bit 0x20 makes an ASCII letter lower case. A name
 * shorter than three letters has 0x20 as its third.
 */
const slot = (name: string): number =>
  (((name.charCodeAt(0) | 0x20) & 0xff) << 8) | ((name.charCodeAt(2) | 0x20) & 0xff)

/** By slot: which lists hold a name that begins so. Unit: 65,536 bytes. */
const candidates = new Uint8Array(0x10000)
for (const name of identityHeaders) candidates[slot(name)]! |= identityBit
for (const name of forwardedHeaders) candidates[slot(name)]! |= forwardedBit

/**
 * Fast check of a raw name in any case: false means that `isStripped` is false too. Every request passes it for each of
 * its headers, so it costs one look-up; the rule itself costs several string comparisons.
 */
export const mayBeStripped = (name: string, mayForward: boolean): boolean =>
  (candidates[slot(name)]! & (mayForward ? identityBit : identityBit | forwardedBit)) !== 0
