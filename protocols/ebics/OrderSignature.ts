/**
 * Order signatures A005 and A006, which sign the data of an uploaded order. Pure. Statement downloads need none; the
 * key is sent by INI all the same. Source: EBICS 2.5 §14.1 and 3.0 §14.1.
 *
 * A006 hashes twice: the PSS encoding hashes the SHA-256 of the data again, as other clients do.
 */
import { constants, createHash, type KeyObject, sign as signBytes, verify as verifyBytes } from "node:crypto"
import type { SignatureVersion } from "./Version.ts"

/** Length of the salt of PSS. Unit: bytes. Source: EBICS 2.5 §14.1.4.2. */
const saltLength = 32

export const sign = (version: SignatureVersion, data: Uint8Array, privateKey: KeyObject): Buffer =>
  version === "A005"
    ? signBytes("sha256", normalized(data), privateKey)
    : signBytes("sha256", sha256(data), { key: privateKey, ...pss })

export const verify = (
  version: SignatureVersion,
  data: Uint8Array,
  publicKey: KeyObject,
  signature: Uint8Array
): boolean =>
  version === "A005"
    ? verifyBytes("sha256", normalized(data), publicKey, signature)
    : verifyBytes("sha256", sha256(data), { key: publicKey, ...pss }, signature)

const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength }

const sha256 = (data: Uint8Array): Buffer => createHash("sha256").update(normalized(data)).digest()

/** The data without CR, LF and Ctrl-Z, which transfer programs add and remove. */
const normalized = (data: Uint8Array): Buffer => Buffer.from(data.filter((byte) => !ignored.has(byte)))

const ignored: ReadonlySet<number> = new Set([0x0d, 0x0a, 0x1a])
