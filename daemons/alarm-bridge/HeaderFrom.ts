/**
 * The addresses of the header From, for whoever checks them. Pure. It reads the header as it stands, before RFC 2047
 * decoding: what an encoded word holds is a display name, whatever it looks like. Source: RFC 5322 §3.4, RFC 2047 §5.
 *
 * A header of a plain shape gives its addresses, joined by `, `. Any other is handed on undecoded: its reader, who decides
 * what may pass, then sees all that is dubious about it.
 */

/** Longest header that is read. Unit: UTF-16 units. Reason: beyond it readers refuse the header anyway. */
const maxHeader = 8_000

/** `values`: every From header of the mail, unfolded. Several are one list: all of them have to be allowed. */
export const fromAddresses = (values: ReadonlyArray<string>): string => {
  const header = values.map((value) => value.trim()).filter((value) => value !== "").join(", ").slice(0, maxHeader)
  const plain = withoutNames(header)
  if (plain === undefined) return header
  const mailboxes = plain.split(",").map((mailbox) => mailbox.trim())
  const addresses = mailboxes.map((mailbox) => angled.exec(mailbox)?.[1] ?? bare.exec(mailbox)?.[0])
  return addresses.every((address) => address !== undefined) ? addresses.join(", ") : header
}

/** Local part and domain without quotes, comments or space. */
const atoms = "[^\\s\"<>(),:;@\\[\\]\\\\]+@[^\\s\"<>(),:;@\\[\\]\\\\]+"
/** A display name of anything but what could be another address, then the address, then nothing. */
const angled = new RegExp(`^[^<>@:;]*<\\s*(${atoms})\\s*>$`)
const bare = new RegExp(`^${atoms}$`)

/** The header without quoted names and comments; undefined when one is not closed. An encoded word stays: it holds no `@<>`. */
const withoutNames = (header: string): string | undefined => {
  let rest = ""
  let depth = 0
  let quoted = false
  for (let i = 0; i < header.length; i++) {
    const char = header.charAt(i)
    if (char === "\\" && (quoted || depth > 0)) i++
    else if (quoted) quoted = char !== "\""
    else if (char === "\"" && depth === 0) {
      quoted = true
      // What was quoted right before an @ is a local part, not a name: the mark keeps it from being read as none.
      rest += "\""
    } else if (char === "(") {
      depth++
      // So that an address with a comment inside is none of a plain shape.
      rest += " "
    }
    else if (char === ")" && depth > 0) depth--
    else if (depth === 0) rest += char
  }
  return quoted || depth > 0 ? undefined : rest
}
