/** Passwords that an administrator gives a user, shown once. */
import { randomBytes } from "node:crypto"
import { Redacted } from "effect"

/** Length. Unit: bytes, 20 characters. Reason: cannot be guessed, and can be dictated. */
const passwordBytes = 15

/** A random password of letters, digits, `-` and `_`. */
export const newPassword = (): Redacted.Redacted =>
  Redacted.make(randomBytes(passwordBytes).toString("base64url"), { label: "password" })
