/**
 * E002: order data is deflated, encrypted by AES-128-CBC under a random key, and that key by RSA with PKCS#1 v1.5. It
 * is pure. Source: EBICS 2.5 §11.3 and 3.0 §11.3; RFC 8017 §7.2; RFC 1950.
 *
 * Node refuses PKCS#1 v1.5 padding in `privateDecrypt` in some releases and hides its failures in others. So the RSA
 * operation runs without padding, and the padding is removed here: in constant time, because a bank, or someone who
 * poses as one, could otherwise learn a key by many wrong messages (Bleichenbacher 1998). A wrong padding yields a
 * random key, so that it fails like a wrong key, at the padding of AES or at the inflating.
 */
import {
  constants,
  createCipheriv,
  createDecipheriv,
  type Decipheriv,
  type KeyObject,
  privateDecrypt,
  publicEncrypt,
  randomBytes
} from "node:crypto"
import { deflateSync, inflateSync } from "node:zlib"
import { Result } from "effect"
import * as Document from "./Document.ts"
import { EbicsError, tooLarge } from "./EbicsError.ts"

/** Length of a transaction key and of an AES block. Unit: bytes. */
const keyLength = 16

/** Initial vector: zeros, since each key is used once. */
const initialVector = Buffer.alloc(16)

/** Transaction key of a message to us. Never fails for a wrong padding; see the head of this file. */
export const unwrapKey = (wrapped: Uint8Array, privateKey: KeyObject): Result.Result<Buffer, EbicsError> => {
  let block: Buffer
  try {
    block = privateDecrypt({ key: privateKey, padding: constants.RSA_NO_PADDING }, wrapped)
  } catch {
    return Result.fail(notDecryptable())
  }
  return Result.succeed(unpad(block, randomBytes(keyLength)))
}

/**
 * Last 16 bytes of a block `00 02 (non-zero bytes) 00 (16 bytes)`, or `substitute` when the block has another form.
 * Reads every byte once, without a branch on its value.
 */
export const unpad = (block: Uint8Array, substitute: Uint8Array): Buffer => {
  const separator = block.length - keyLength - 1
  let wrong = (block[0] ?? 1) | ((block[1] ?? 0) ^ 2) | (block[separator] ?? 1)
  for (let at = 2; at < separator; at++) wrong |= isZero(block[at] ?? 0)
  // 0xff when the form is right, else 0.
  const mask = -isZero(wrong) & 0xff
  const key = Buffer.alloc(keyLength)
  for (let at = 0; at < keyLength; at++)
    key[at] = ((block[separator + 1 + at] ?? 0) & mask) | ((substitute[at] ?? 0) & ~mask)
  return key
}

/** 1 for zero and 0 for 1 to 255, without a branch. */
const isZero = (byte: number): number => ((byte - 1) >>> 31) & 1

/** Transaction key encrypted for a receiver. */
export const wrapKey = (key: Uint8Array, publicKey: KeyObject): Buffer =>
  publicEncrypt({ key: publicKey, padding: constants.RSA_PKCS1_PADDING }, key)

export const newTransactionKey = (): Buffer => randomBytes(keyLength)

/** Encrypts with the padding of ANSI X9.23: zeros, then the number of padding bytes. */
export const encrypt = (data: Uint8Array, key: Uint8Array): Buffer => {
  const padding = Buffer.alloc(keyLength - (data.length % keyLength))
  padding[padding.length - 1] = padding.length
  const cipher = createCipheriv("aes-128-cbc", key, initialVector).setAutoPadding(false)
  return Buffer.concat([cipher.update(data), cipher.update(padding), cipher.final()])
}

/**
 * Decrypts data in pieces. The padding is that of X9.23 or ISO 10126: only its last byte, the number of bytes, has a
 * meaning. `end` throws an `EbicsError` for data of another form.
 */
export class Decryption {
  readonly #decipher: Decipheriv
  /** The last block may be padding. */
  #held: Buffer = Buffer.alloc(0)

  constructor(key: Uint8Array) {
    this.#decipher = createDecipheriv("aes-128-cbc", key, initialVector).setAutoPadding(false)
  }

  update(data: Uint8Array): Buffer {
    const blocks = this.#decipher.update(data)
    if (blocks.length === 0) return blocks
    const released = this.#held
    this.#held = blocks.subarray(-keyLength)
    return Buffer.concat([released, blocks.subarray(0, -keyLength)])
  }

  end(): Buffer {
    try {
      this.#decipher.final()
    } catch {
      throw notDecryptable()
    }
    const padding = this.#held.at(-1) ?? 0
    if (padding < 1 || padding > keyLength) throw notDecryptable()
    return this.#held.subarray(0, keyLength - padding)
  }
}

/** Decrypts data at once. */
export const decrypt = (data: Uint8Array, key: Uint8Array): Result.Result<Buffer, EbicsError> =>
  Document.attempt(() => {
    const decryption = new Decryption(key)
    return Buffer.concat([decryption.update(data), decryption.end()])
  })

export const deflate = (data: Uint8Array): Buffer => deflateSync(data)

/** Inflates a zlib stream, at most `limit.bytes` of output. Bytes behind the end of the stream are an error. */
export const inflate = (
  data: Uint8Array,
  limit: { readonly name: string; readonly bytes: number }
): Result.Result<Buffer, EbicsError> => {
  try {
    const { buffer, engine } = inflateSync(data, { maxOutputLength: limit.bytes, info: true }) as unknown as {
      readonly buffer: Buffer
      readonly engine: { readonly bytesWritten: number }
    }
    return engine.bytesWritten === data.length ? Result.succeed(buffer) : Result.fail(notInflatable())
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined
    return Result.fail(code === "ERR_BUFFER_TOO_LARGE" ? tooLarge(limit.name) : notInflatable())
  }
}

/** Order data of all segments together, which are decoded but still encrypted. */
export const openOrderData = (
  encrypted: Uint8Array,
  wrappedKey: Uint8Array,
  privateKey: KeyObject,
  limit: { readonly name: string; readonly bytes: number }
): Result.Result<Buffer, EbicsError> =>
  Result.gen(function* () {
    const key = yield* unwrapKey(wrappedKey, privateKey)
    const compressed = yield* decrypt(encrypted, key)
    return yield* Result.mapError(inflate(compressed, limit), (error) =>
      error.reason._tag === "NotInflatable" ? notDecryptable() : error
    )
  })

/** One error for every failure, so that its kind says nothing about the padding. */
export const notDecryptable = () => new EbicsError({ reason: { _tag: "NotDecryptable" } })
const notInflatable = () => new EbicsError({ reason: { _tag: "NotInflatable" } })
