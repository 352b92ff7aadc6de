/**
 * Computes the stored form of a Postgres password here, so that no statement, and thus no server log, contains the
 * password. Pure except for the salt. Source: RFC 5802 §3, RFC 7677; for the format the Postgres manual, pg_authid.
 */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto"

/**
 * Iterations of PBKDF2. Source: RFC 7677 §4 and the default of Postgres. The password is random, so more iterations add
 * nothing.
 */
const iterations = 4_096
/** Length of the salt. Unit: bytes. Source: default of Postgres. */
const saltLength = 16

/**
 * Returns `SCRAM-SHA-256$<iterations>:<salt>$<stored key>:<server key>`. `password`: ASCII, so that no SASLprep is
 * needed.
 */
export const scramSecret = (password: string, salt: Buffer = randomBytes(saltLength)): string => {
  const salted = pbkdf2Sync(password, salt, iterations, 32, "sha256")
  const key = (word: string) => createHmac("sha256", salted).update(word).digest()
  const stored = createHash("sha256").update(key("Client Key")).digest("base64")
  return `SCRAM-SHA-256$${iterations}:${salt.toString("base64")}$${stored}:${key("Server Key").toString("base64")}`
}
