/**
 * What Postgres keeps of a password, made here so that the password is in no statement and so in no server's log. Pure
 * but for the salt. Source: RFC 5802 §3, RFC 7677; the form: Postgres manual, pg_authid.
 */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto"

/** Rounds of PBKDF2. Source: RFC 7677 §4 and Postgres's own; the password is random, so more would add nothing. */
const iterations = 4_096
/** Unit: bytes. Source: Postgres's own. */
const saltLength = 16

/** `SCRAM-SHA-256$<rounds>:<salt>$<stored key>:<server key>`. `password`: ASCII, so that no SASLprep is needed. */
export const scramSecret = (password: string, salt: Buffer = randomBytes(saltLength)): string => {
  const salted = pbkdf2Sync(password, salt, iterations, 32, "sha256")
  const key = (word: string) => createHmac("sha256", salted).update(word).digest()
  const stored = createHash("sha256").update(key("Client Key")).digest("base64")
  return `SCRAM-SHA-256$${iterations}:${salt.toString("base64")}$${stored}:${key("Server Key").toString("base64")}`
}
