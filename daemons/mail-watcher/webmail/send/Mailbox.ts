/**
 * An address as people write it: `a@b`, `Name <a@b>`, `"Name" <a@b>`. Pure. What comes out holds no control character, so that nothing
 * of it can begin a header line. Source: RFC 5322 §3.4, without groups, comments and quoted local parts.
 */
import { maxAddress, normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"

export interface Mailbox {
  /** Empty: none. */
  readonly name: string
  /** The local part as it was written, the domain in ASCII. */
  readonly address: string
}

/** Longest that is read. Unit: UTF-16 units. Reason: a name of 200 and an address. */
export const maxMailbox = 200 + 2 * maxAddress

export const parseMailbox = (text: string): Mailbox | undefined => {
  if (text.length > maxMailbox || /\p{Cc}/u.test(text) || !text.isWellFormed()) return undefined
  const [, quoted, plain, bracketed] = /^\s*(?:"((?:[^"\\]|\\.)*)"|([^"<>]*?))\s*<([^<>]*)>\s*$/.exec(text) ?? []
  const address = ofAddress(bracketed ?? text)
  return address === undefined ? undefined : { name: (quoted?.replace(/\\(.)/g, "$1") ?? plain ?? "").trim(), address }
}

const ofAddress = (text: string): string | undefined => {
  const normal = normaliseEmail(text)
  if (normal === undefined) return undefined
  const trimmed = text.trim()
  return `${trimmed.slice(0, trimmed.lastIndexOf("@")).normalize("NFC")}${normal.slice(normal.lastIndexOf("@"))}`
}

/** Each address once, whatever its case. */
export const different = (mailboxes: ReadonlyArray<Mailbox>): ReadonlyArray<Mailbox> =>
  [...new Map(mailboxes.map((mailbox) => [mailbox.address.toLowerCase(), mailbox])).values()]
