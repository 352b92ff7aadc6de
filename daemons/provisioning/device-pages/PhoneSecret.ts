/** Secrets in the addresses of telephones. Stored as hashes. */
import { hash, randomBytes } from "node:crypto"
import { Redacted } from "effect"

/** Unit: bytes. Reason: 192 bits; some telephones accept only short addresses. */
const secretBytes = 24

/** New secret: 32 characters that need no escaping in addresses. */
export const newSecret = (): Redacted.Redacted => Redacted.make(randomBytes(secretBytes).toString("base64url"))

/** Stored form: SHA-256, 32 bytes. */
export const storedForm = (secret: string): Buffer => hash("sha256", secret, "buffer")

/** Whether the text has the form of a secret. */
export const isSecret = (text: string): boolean => /^[\w-]{32}$/.test(text)
