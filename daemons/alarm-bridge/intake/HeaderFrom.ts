/**
 * The addresses of the header From, for whoever checks them. Pure. It reads the header as it stands, before RFC 2047
 * decoding: what an encoded word holds is a display name, whatever it looks like. Source: RFC 5322 §3.4, RFC 2047 §5.
 *
 * A header of a plain shape gives its addresses, joined by `, `. Any other is handed on undecoded: its reader, who
 * decides what may pass, then sees all that is dubious about it.
 */

import { plain } from "#protocols/mail-address/Plain.ts"

/** Longest header that is read. Unit: UTF-16 units. Reason: beyond it readers refuse the header anyway. */
const maxHeader = 8_000

/** `values`: every From header of the mail, unfolded. Several are one list: all of them have to be allowed. */
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
 * What was quoted right before an @ is a local part, not a name, and an address with a comment inside is none of a
 * plain shape: the marks keep either from being read as an address. An encoded word stays: it holds no `@<>`.
 */
const marks = { quoted: '"', comment: " " }

/** Local part and domain without quotes, comments or space. */
const atoms = '[^\\s"<>(),:;@\\[\\]\\\\]+@[^\\s"<>(),:;@\\[\\]\\\\]+'
/** A display name of anything but what could be another address, then the address, then nothing. */
const angled = new RegExp(`^[^<>@:;]*<\\s*(${atoms})\\s*>$`)
const naked = new RegExp(`^${atoms}$`)
