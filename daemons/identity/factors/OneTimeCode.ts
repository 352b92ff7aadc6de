/**
 * The six digits that a messenger brings, as a second factor or to bind a chat. Pure but for the random code.
 *
 * A million codes are hashed through in a second, so what is kept is an HMAC whose key is not in the database
 * (`Secrets.derive`), over the row's own id too: equal codes of two rows do not look equal. A rotated key costs the
 * codes of the last five minutes when the old one is not held any longer.
 */
import { Duration, Redacted } from "effect"
import { createHmac, randomInt, timingSafeEqual } from "node:crypto"

/** Length of a code. Unit: digits. Reason: read from a telephone and typed; guessing is bounded by `maxTries`. */
export const digits = 6

/**
 * How long a code is good. Reason: messages arrive within seconds; a telephone has to be found. Source: NIST SP 800-63B
 * §3.1.3.2 allows ten minutes.
 */
export const lifetime = Duration.minutes(5)

/** Wrong codes before a right one is refused too. Unit: tries. Reason: five of a million. */
export const maxTries = 5

/** What is kept of a code. */
export interface OneTimeCodeState {
  /** Id of the row, part of the hash. */
  readonly id: string
  readonly hash: Uint8Array
  /** Unit: milliseconds since 1970. */
  readonly expiresAt: number
  /** Codes compared so far. */
  readonly tries: number
}

export type OneTimeCodeDecision =
  /** Good: the row is to be deleted, in the same transaction. */
  | { readonly _tag: "Accepted" }
  /** Not good: `tries` is to be kept. All reasons are one to whoever tries. */
  | { readonly _tag: "Refused"; readonly reason: "Expired" | "Exhausted" | "Wrong"; readonly tries: number }

/** A new code, every one as likely as any other. */
export const newCode = (): Redacted.Redacted =>
  Redacted.make(String(randomInt(10 ** digits)).padStart(digits, "0"), { label: "one-time code" })

/** What to keep of `code` in the row `id`. `key`: the newest of `Secrets.derive`. */
export const begin = (id: string, code: Redacted.Redacted, key: Uint8Array, now: number): OneTimeCodeState => ({
  id,
  hash: hashOf(id, Redacted.value(code), key),
  expiresAt: now + Duration.toMillis(lifetime),
  tries: 0
})

/**
 * What becomes of a row when `typed` is presented. `keys`: all that are held. The row is to be read `for update`, and
 * what this says to be written before it is let go: a hundred tries at once are else five each.
 */
export const decide = (
  state: OneTimeCodeState,
  typed: string,
  keys: ReadonlyArray<Uint8Array>,
  now: number
): OneTimeCodeDecision => {
  if (now >= state.expiresAt) return { _tag: "Refused", reason: "Expired", tries: state.tries }
  if (state.tries >= maxTries) return { _tag: "Refused", reason: "Exhausted", tries: state.tries }
  const code = typed.replace(/\s/g, "")
  const right =
    /^[0-9]{6}$/.test(code) &&
    keys.some((key) => {
      const hash = hashOf(state.id, code, key)
      return hash.length === state.hash.length && timingSafeEqual(hash, state.hash)
    })
  return right ? { _tag: "Accepted" } : { _tag: "Refused", reason: "Wrong", tries: state.tries + 1 }
}

const hashOf = (id: string, code: string, key: Uint8Array): Buffer =>
  createHmac("sha256", key).update(`${code}/${id}`).digest()
