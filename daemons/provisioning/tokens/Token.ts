/**
 * Format of a client token: `<marker>_<prefix>_<secret>`. Pure apart from the random values. Only the hash is stored;
 * the tokens are random, so no slow hash is needed. Source: interface document 2 §2.4.
 */
import { Redacted } from "effect"
import { createHash, randomBytes } from "node:crypto"

const marker = "sbp"

/** Length of the prefix that lists show. Unit: hexadecimal characters. Source: interface document 2 §2.4. */
const prefixLength = 8

/** Length of the secret. Unit: bytes. Source: interface document 2 §2.4. */
const secretBytes = 48

/** 48 bytes are 64 characters of base64url. */
const form = new RegExp(`^${marker}_[0-9a-f]{${prefixLength}}_[A-Za-z0-9_-]{${(secretBytes / 3) * 4}}$`)

/** Longest accepted token. Unit: characters. */
export const maxToken = marker.length + prefixLength + (secretBytes / 3) * 4 + 2

export interface NewToken {
  /** The whole token. Shown once and never logged. */
  readonly token: Redacted.Redacted
  readonly prefix: string
  readonly hash: Uint8Array
}

export const newToken = (): NewToken => {
  const prefix = randomBytes(prefixLength / 2).toString("hex")
  const token = `${marker}_${prefix}_${randomBytes(secretBytes).toString("base64url")}`
  return { token: Redacted.make(token, { label: "client token" }), prefix, hash: hashOf(token) }
}

/** Whether the text has the form of a token. */
export const isToken = (text: string): boolean => form.test(text)

/** SHA-256 of the whole token. */
export const hashOf = (token: string): Uint8Array => createHash("sha256").update(token).digest()
