/**
 * RSA keys: their bounds, their digests, and the conversion between Node's key objects and the exponent and modulus of
 * the protocol. Pure, except that `generate` makes random keys. Source: EBICS 2.5 §4.4 and §11, 3.0 §4.4 and §11.
 */
import { createHash, createPublicKey, generateKeyPair, type KeyObject, randomBytes } from "node:crypto"
import { Effect, Result } from "effect"
import { badKey, type EbicsError } from "./EbicsError.ts"
import { maxRsaBits, minRsaBits } from "./Limits.ts"

/** Numbers of a public key, as unsigned big-endian bytes without leading zero bytes. */
export interface PublicNumbers {
  readonly exponent: Buffer
  readonly modulus: Buffer
}

/** Length of new keys. Unit: bits. Reason: banks accept 2,048 to 4,096 bits; BSI recommends 3,000 and more. */
export const newKeyBits = 3_072

/** A new private key. `bits`: 2,048 to 4,096. */
export const generate = (bits: number = newKeyBits): Effect.Effect<KeyObject, EbicsError> =>
  bits < minRsaBits || bits > maxRsaBits || bits % 8 !== 0
    ? Effect.fail(badKey(`a length of ${bits} bits is not allowed`))
    : Effect.callback<KeyObject, EbicsError>((resume) => {
        generateKeyPair("rsa", { modulusLength: bits, publicExponent: 65_537 }, (error, _, privateKey) =>
          resume(error === null ? Effect.succeed(privateKey) : Effect.die(error))
        )
      })

/** Public key of its numbers, when its length is allowed and its exponent is odd and above 1. */
export const fromNumbers = (exponent: Uint8Array, modulus: Uint8Array): Result.Result<KeyObject, EbicsError> => {
  const numbers = { exponent: unsigned(exponent), modulus: unsigned(modulus) }
  const bits = bitLength(numbers.modulus)
  if (bits < minRsaBits || bits > maxRsaBits) return Result.fail(badKey(`a length of ${bits} bits is not allowed`))
  const last = numbers.exponent.at(-1) ?? 0
  if (last % 2 === 0 || (numbers.exponent.length === 1 && last === 1) || numbers.exponent.length > maxExponentBytes)
    return Result.fail(badKey("the exponent is not allowed"))
  if ((numbers.modulus.at(-1) ?? 0) % 2 === 0) return Result.fail(badKey("the modulus is even"))
  try {
    const [e, n] = [numbers.exponent.toString("base64url"), numbers.modulus.toString("base64url")]
    return Result.succeed(createPublicKey({ key: { kty: "RSA", e, n }, format: "jwk" }))
  } catch {
    return Result.fail(badKey("it is not an RSA key"))
  }
}

/**
 * Longest public exponent. Unit: bytes. Reason: keys have 65537; a longer exponent only makes each verification slow.
 */
const maxExponentBytes = 8

/** Numbers of a public or private key. */
export const numbersOf = (key: KeyObject): PublicNumbers => {
  const { e, n } = (key.type === "private" ? createPublicKey(key) : key).export({ format: "jwk" })
  return { exponent: unsigned(Buffer.from(e ?? "", "base64url")), modulus: unsigned(Buffer.from(n ?? "", "base64url")) }
}

/** The key when it is an RSA key with an allowed length. */
export const checked = (key: KeyObject): Result.Result<KeyObject, EbicsError> => {
  if (key.asymmetricKeyType !== "rsa") return Result.fail(badKey("it is not an RSA key"))
  const bits = bitLength(numbersOf(key).modulus)
  return bits < minRsaBits || bits > maxRsaBits
    ? Result.fail(badKey(`a length of ${bits} bits is not allowed`))
    : Result.succeed(key)
}

/**
 * SHA-256 of the public key: of the text with exponent and modulus as hexadecimal numbers in lower case without leading
 * zeros, separated by a blank. Unit: 32 bytes. Source: EBICS 2.5 §4.4.1.2.3 (Annex 1, hash of public keys).
 */
export const digest = (key: KeyObject): Buffer => {
  const { exponent, modulus } = numbersOf(key)
  return createHash("sha256")
    .update(`${hex(exponent)} ${hex(modulus)}`, "ascii")
    .digest()
}

/** Number as hexadecimal digits in lower case without leading zeros. */
export const hex = (number: Uint8Array): string =>
  Buffer.from(number)
    .toString("hex")
    .replace(/^0+(?=.)/, "")

/** Length of a number without leading zero bits. Unit: bits. */
export const bitLength = (number: Uint8Array): number => {
  const bytes = unsigned(number)
  return bytes.length === 0 ? 0 : (bytes.length - 1) * 8 + (32 - Math.clz32(bytes[0] ?? 0))
}

/** A nonce of a request: 16 random bytes as upper-case hexadecimal digits. The bank refuses a nonce seen before. */
export const newNonce = Effect.sync(() => randomBytes(16).toString("hex").toUpperCase())

const unsigned = (bytes: Uint8Array): Buffer => {
  let start = 0
  while (start < bytes.length && bytes[start] === 0) start++
  return Buffer.from(bytes.subarray(start))
}
