/** The tokens in the links of mails: kept as their hash, and sealed where a later mail needs the token itself. */
import { hash, randomBytes } from "node:crypto"
import type { SealedColumn } from "#core/config/Secrets.ts"

/** Unit: bytes. Reason: as long as its hash; nobody guesses it. */
const tokenBytes = 32

/** 43 characters that stand in an address as they are. */
export const newToken = (): string => randomBytes(tokenBytes).toString("base64url")

/** What is stored of a token: SHA-256, 64 hex characters. */
export const storedForm = (token: string): string => hash("sha256", token, "hex")

/** Whether it can be one of ours at all. */
export const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text)

/** Sealed by the hash of the token. */
export const unsubscribeColumn: SealedColumn = {
  table: "status_checker.subscribers",
  id: "unsubscribe",
  column: "unsubscribe_envelope"
}

/** Sealed by the mail's Message-ID. */
export const confirmColumn: SealedColumn = { table: "status_checker.mails", id: "message_id", column: "envelope" }
