/** Form of app passwords, and the tag by which the mail server finds a hash. Pure apart from random numbers. */
import { Redacted } from "effect"
import { hash, randomInt } from "node:crypto"

/** Letters and digits that are hard to confuse, because people type the password into mail programs. */
const alphabet = "abcdefghjkmnpqrstuvwxyz23456789"

/** Groups of a password, and characters of a group. Reason: 118 bits, readable in pieces. */
const groups = 6
const groupLength = 4

/** A password such as `k3mx-7pqr-…`. It has no character that an address or a file of settings must escape. */
export const newAppPassword = (): Redacted.Redacted =>
  Redacted.make(
    Array.from({ length: groups }, () =>
      Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join("")
    ).join("-")
  )

/**
 * Most app passwords of a mailbox. Reason: more than anyone has devices, and far below the 256 tags, so that a free tag
 * is found soon.
 */
export const maxAppPasswords = 60

/**
 * First byte of the SHA-256, as two hexadecimal digits. The mail server computes it of every typed password to find the
 * app password that is meant. Only a byte, because it is also computed of people's own passwords and Postgres may log
 * the statement.
 */
export const tagOf = (password: Redacted.Redacted): string =>
  hash("sha256", Redacted.value(password), "hex").slice(0, 2)

/** A new password whose tag is not among `taken`. */
export const newWithTag = (
  taken: ReadonlySet<string>
): { readonly password: Redacted.Redacted; readonly tag: string } => {
  for (;;) {
    const password = newAppPassword()
    const tag = tagOf(password)
    if (!taken.has(tag)) return { password, tag }
  }
}
