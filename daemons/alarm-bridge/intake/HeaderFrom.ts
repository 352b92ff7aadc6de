/**
 * Reads the addresses of the From header. Pure. It works on the undecoded header, because the content of an RFC 2047
 * encoded word is always a display name, even if it looks like an address. Source: RFC 5322 §3.4, RFC 2047 §5.
 *
 * A header of the usual form gives its addresses, joined by `, `. Any other header is returned undecoded, so that
 * comm-dispatcher, which checks the sender, sees everything suspicious about it.
 *
 * The address parser of postal-mime 4.0.0 returns one address for each of four ambiguous headers, such as
 * `a@example.org <b@example.net>`. It takes 2.2 times as long (two mailboxes, Node 24).
 */

import { plain } from "#protocols/mail-address/Plain.ts"

/** Longest header that is read. Unit: UTF-16 code units. Reason: comm-dispatcher rejects longer headers anyway. */
const maxHeader = 8_000

/**
 * `values`: all From headers of the mail, unfolded. Several headers count as one list, so every address must be
 * allowed.
 */
export const fromAddresses = (values: ReadonlyArray<string>): string => {
  const header = values
    .map((value) => value.trim())
    .filter((value) => value !== "")
    .join(", ")
    .slice(0, maxHeader)
  const bare = plain(header, marks)
  if (bare === undefined) return header
  const mailboxes = bare.split(",").map((mailbox) => mailbox.trim())
  const addresses = mailboxes.map((mailbox) => angled.exec(mailbox)?.[1] ?? naked.exec(mailbox)?.[0])
  return addresses.every((address) => address !== undefined) ? addresses.join(", ") : header
}

/**
 * Replacements for quoted strings and comments. A quoted string before an @ is a local part, and an address may contain
 * a comment; with these marks neither matches as an address. Encoded words stay, because they contain no `@<>`.
 */
const marks = { quoted: '"', comment: " " }

/** Local part and domain without quotes, comments or spaces. */
const atoms = '[^\\s"<>(),:;@\\[\\]\\\\]+@[^\\s"<>(),:;@\\[\\]\\\\]+'
/** Display name that contains no other address, then the address in angle brackets, then nothing. */
const angled = new RegExp(`^[^<>@:;]*<\\s*(${atoms})\\s*>$`)
const naked = new RegExp(`^${atoms}$`)
