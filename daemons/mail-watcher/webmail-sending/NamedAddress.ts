/**
 * Parses an address with an optional name: `a@b`, `Name <a@b>`, `"Name" <a@b>`. Pure. The result has no control
 * characters, so it cannot start a header line. Source: RFC 5322 §3.4 (mailbox), without groups, comments and quoted
 * local parts.
 *
 * The address parser of postal-mime 4.0.0 takes 0.9 times the time (Node 24), but guesses: it reads `a b@example.org`
 * as the address `b@example.org`.
 */
import { maxAddress, normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"

export interface NamedAddress {
  /** Empty: no name. */
  readonly name: string
  /** Local part as written, domain in ASCII. */
  readonly address: string
}

/** Longest text that is parsed. Unit: UTF-16 code units. Reason: a name of 200 and an address. */
export const maxNamedAddress = 200 + 2 * maxAddress

export const parseNamedAddress = (text: string): NamedAddress | undefined => {
  if (text.length > maxNamedAddress || /\p{Cc}/u.test(text) || !text.isWellFormed()) return undefined
  const whole = text.trim()
  const open = whole.endsWith(">") ? whole.lastIndexOf("<") : -1
  const name = open < 0 ? "" : nameOf(whole.slice(0, open).trim())
  const address = ofAddress(open < 0 ? whole : whole.slice(open + 1, -1))
  return address === undefined || name === undefined ? undefined : { name, address }
}

const nameOf = (text: string): string | undefined => {
  if (text.startsWith('"'))
    return /^"(?:[^"\\]|\\.)*"$/.test(text) ? text.slice(1, -1).replace(/\\(.)/g, "$1").trim() : undefined
  return /["<>]/.test(text) ? undefined : text
}

const ofAddress = (text: string): string | undefined => {
  const normal = normaliseEmail(text)
  if (normal === undefined) return undefined
  const trimmed = text.trim()
  return `${trimmed.slice(0, trimmed.lastIndexOf("@")).normalize("NFC")}${normal.slice(normal.lastIndexOf("@"))}`
}

/** Removes duplicate addresses, ignoring case. */
export const distinctAddresses = (mailboxes: ReadonlyArray<NamedAddress>): ReadonlyArray<NamedAddress> => [
  ...new Map(mailboxes.map((mailbox) => [mailbox.address.toLowerCase(), mailbox])).values()
]
