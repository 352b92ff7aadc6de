/**
 * Codes for the day the telephone is lost: each opens once in the place of the second factor. Pure but for the random
 * codes.
 *
 * What is kept is their SHA-256. They are random, so no list of likely ones helps against the plain hash; but 50 bits
 * can be tried through on one graphics card within days. So the hashes are to be stored sealed (core/Secrets), as the
 * TOTP secret is: a copy of the database opens nothing, and who can open the envelope still finds no code in it. At the
 * door a guess is right once in 10^14.
 */
import { Redacted } from "effect"
import { createHash, randomBytes, timingSafeEqual } from "node:crypto"

/** Unit: codes in a set. Reason: a page to print. */
export const count = 10

/** Length of a code without its dash; five bits each, 50 in all. Unit: characters. */
const length = 10

/**
 * Digits and letters without those that are read for one another (i, l, o) and without u. Source: Crockford's base 32.
 */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

/** A new set, each `xxxxx-xxxxx`; to be shown once. */
export const newCodes = (): ReadonlyArray<Redacted.Redacted> => {
  const codes = new Set<string>()
  while (codes.size < count) {
    // 256 is eight times 32: every character is as likely as any other.
    const text = Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join("")
    codes.add(`${text.slice(0, length / 2)}-${text.slice(length / 2)}`)
  }
  return Array.from(codes, (code) => Redacted.make(code, { label: "recovery code" }))
}

/**
 * The code as it was shown, from what somebody typed off paper: any case, spaces, dashes, O for 0, I and L for 1. Else
 * undefined.
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

/** What is kept of a code as it was shown: SHA-256, in base64url. */
export const hash = (code: Redacted.Redacted): string =>
  createHash("sha256").update(Redacted.value(code)).digest("base64url")

/**
 * The hashes that are left when `typed` is one of the codes; undefined when it is none. Compares with each, in constant
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
