/**
 * Six-digit codes sent by messenger, as a second factor or to confirm a chat. Pure except for random codes.
 *
 * A million codes can be hashed within a second. So the stored value is an HMAC whose key is not in the database
 * (`Secrets.derive`). It includes the row's id, so that equal codes have different hashes. When an old key is deleted,
 * codes of the last five minutes become invalid.
 */
import { Duration, Redacted } from "effect"
import { createHmac, randomInt, timingSafeEqual } from "node:crypto"

/** Length of a code. Unit: digits. Reason: people read it from a telephone and type it; `maxTries` limits guessing. */
export const digits = 6

/**
 * Lifetime of a code. Reason: messages arrive within seconds, and the user may have to fetch the telephone. Source:
 * NIST SP 800-63B §3.1.3.2 allows ten minutes.
 */
export const lifetime = Duration.minutes(5)

/** Number of wrong codes after which even the right code is refused. Reason: five guesses out of a million codes. */
export const maxTries = 5

/** Stored state of a code. */
export interface OneTimeCodeState {
  /** Id of the row, part of the hash. */
  readonly id: string
  readonly hash: Uint8Array
  /** Expiry, epoch milliseconds. */
  readonly expiresAt: number
  /** Number of comparisons so far. */
  readonly tries: number
}

export type OneTimeCodeDecision =
  /** The code is correct: delete the row in the same transaction. */
  | { readonly _tag: "Accepted" }
  /** The code is refused: store `tries`. Do not tell the user the reason. */
  | { readonly _tag: "Refused"; readonly reason: "Expired" | "Exhausted" | "Wrong"; readonly tries: number }

/** A new random code, uniformly distributed. */
export const newCode = (): Redacted.Redacted =>
  Redacted.make(String(randomInt(10 ** digits)).padStart(digits, "0"), { label: "one-time code" })

/** State to store for `code` in row `id`. `key`: the newest of `Secrets.derive`. */
export const begin = (id: string, code: Redacted.Redacted, key: Uint8Array, now: number): OneTimeCodeState => ({
  id,
  hash: hashOf(id, Redacted.value(code), key),
  expiresAt: now + Duration.toMillis(lifetime),
  tries: 0
})

/**
 * Decides about an entered code. `keys`: all keys of the key file. Read the row `for update` and write the result
 * before the lock ends; otherwise concurrent requests could try more than `maxTries` codes.
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
  const isCorrect =
    /^[0-9]{6}$/.test(code) &&
    keys.some((key) => {
      const hash = hashOf(state.id, code, key)
      return hash.length === state.hash.length && timingSafeEqual(hash, state.hash)
    })
  return isCorrect ? { _tag: "Accepted" } : { _tag: "Refused", reason: "Wrong", tries: state.tries + 1 }
}

const hashOf = (id: string, code: string, key: Uint8Array): Buffer =>
  createHmac("sha256", key).update(`${code}/${id}`).digest()
