/**
 * Recovery codes: each replaces the second factor once, for example after a phone is lost. Pure except for the random
 * codes.
 *
 * Only the SHA-256 of a code is stored. A dictionary does not help against random codes, but one graphics card can try
 * all 50-bit codes within days. Callers therefore store the hashes in envelopes (core/config/Secrets), like the TOTP
 * secret: a copy of the database is useless, and an opened envelope still shows no code. A guess at sign-in succeeds
 * with a probability of at most 1 in 10^14.
 */
import { Redacted } from "effect"
import { createHash, randomBytes, timingSafeEqual } from "node:crypto"

/** Number of codes in a set. Reason: they fit on a printed page. */
export const count = 10

/** Length of a code without its dash. Unit: characters of five bits each, 50 bits in all. */
const length = 10

/** Digits and letters without those that look alike (i, l, o) and without u. Source: Crockford's base 32. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

/** A new set of codes, each `xxxxx-xxxxx`; shown once. */
export const newCodes = (): ReadonlyArray<Redacted.Redacted> => {
  const codes = new Set<string>()
  while (codes.size < count) {
    // 256 is eight times 32, so every character has the same probability.
    const text = Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join("")
    codes.add(`${text.slice(0, length / 2)}-${text.slice(length / 2)}`)
  }
  return Array.from(codes, (code) => Redacted.make(code, { label: "recovery code" }))
}

/**
 * The code in its shown form, from typed text: any case, spaces, dashes, O for 0, I and L for 1. Undefined when it is
 * no code.
 */
export const normalise = (typed: string): string | undefined => {
  if (typed.length > 4 * length) return undefined
  const text = typed
    .toLowerCase()
    .replace(/[\s\p{Pd}]/gu, "")
    .replaceAll("o", "0")
    .replace(/[il]/g, "1")
  return text.length === length && Array.from(text).every((char) => alphabet.includes(char))
    ? `${text.slice(0, length / 2)}-${text.slice(length / 2)}`
    : undefined
}

/** Stored form of a code: SHA-256, in base64url. */
export const hash = (code: Redacted.Redacted): string =>
  createHash("sha256").update(Redacted.value(code)).digest("base64url")

/**
 * The remaining hashes when `typed` is one of the codes; undefined when it is none. Compares with each in constant
 * time.
 */
export const use = (typed: string, hashes: ReadonlyArray<string>): ReadonlyArray<string> | undefined => {
  const code = normalise(typed)
  if (code === undefined) return undefined
  const presented = Buffer.from(hash(Redacted.make(code)))
  const left = hashes.filter((kept) => {
    const bytes = Buffer.from(kept)
    return bytes.length !== presented.length || !timingSafeEqual(bytes, presented)
  })
  return left.length < hashes.length ? left : undefined
}
