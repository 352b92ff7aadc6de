/** Tokens in the links of mails. Stored as hashes, and sealed where a later mail needs the token. */
import { hash, randomBytes } from "node:crypto"
import type { SealedColumn } from "#core/config/Secrets.ts"

/** Unit: bytes. Reason: 256 bits, as many as the hash. */
const tokenBytes = 32

/** New token: 43 characters that need no escaping in addresses. */
export const newToken = (): string => randomBytes(tokenBytes).toString("base64url")

/** Stored form of a token: SHA-256 in 64 hexadecimal digits. */
export const storedForm = (token: string): string => hash("sha256", token, "hex")

/** Whether the text has the form of a token. */
export const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text)

/** Sealed with the hash of the token as its id. */
export const unsubscribeColumn: SealedColumn = {
  table: "status_checker.subscribers",
  id: "unsubscribe",
  column: "unsubscribe_envelope"
}

/** Sealed with the Message-ID of the mail as its id. */
export const confirmColumn: SealedColumn = { table: "status_checker.mails", id: "message_id", column: "envelope" }
