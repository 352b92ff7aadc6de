/**
 * Normalises sign-in addresses to the form in which they are stored and compared. Pure. Does not check that the mailbox
 * exists.
 *
 * Addresses that differ only in case are the same address. RFC 5321 §2.4 allows a case-sensitive local part, but no
 * mail server in use has one. Two users whose addresses differ only in case could impersonate each other. Quoted local
 * parts, comments and address literals are refused: each has many spellings for one address, and nobody signs in with
 * them.
 *
 * The library email-addresses 5.0.0 accepts these forms, and changes neither the case of an address nor its domain. It
 * has 1,100 lines, this file 60.
 */
import { normaliseDomain } from "./Domain.ts"

/** Longest local part. Unit: bytes of UTF-8. Source: RFC 5321 §4.5.3.1.1. */
export const maxLocalPart = 64

/** Longest address. Unit: bytes. Source: RFC 5321 §4.5.3.1.3, a path has 256 with its two angle brackets. */
export const maxAddress = 254

/** Longest label of the domain. Unit: bytes. Source: RFC 1035 §2.3.4. */
const maxLabel = 63

/**
 * Longest input. Unit: UTF-16 units. Reason: normalising shortens the text, because it trims spaces and composes
 * characters.
 */
const maxTyped = 4 * maxAddress

/**
 * The normalised address: trimmed, composed Unicode (NFC), lower case, domain in ASCII. Undefined when nobody can sign
 * in with the address. The result has no space, no control character and exactly one `@`. Normalising it again changes
 * nothing.
 */
export const normaliseEmail = (text: string): string | undefined => {
  if (text.length > maxTyped) return undefined
  const trimmed = text.trim()
  const at = trimmed.lastIndexOf("@")
  const local = folded(trimmed.slice(0, Math.max(0, at)))
  const domain = normaliseDomain(trimmed.slice(at + 1))
  if (at < 0 || domain === undefined || !localPart.test(local)) return undefined
  // Resolvers read a name that ends in a number as an IPv4 address (`0x7f.1` becomes `127.0.0.1` in the ASCII form).
  if (/(?:^|\.)\d+$/.test(domain) || domain.split(".").some((label) => label.length > maxLabel)) return undefined
  const bytes = Buffer.byteLength(local)
  return bytes > maxLocalPart || bytes + 1 + domain.length > maxAddress ? undefined : `${local}@${domain}`
}

/** The part before the `@` of a normalised address. */
export const localPartOf = (email: string): string => email.slice(0, email.lastIndexOf("@"))

/** Lower case first, then composed: a few capital letters become a letter and a combining mark in lower case. */
const folded = (text: string): string => text.toLowerCase().normalize("NFC")

/**
 * Words joined by single dots, without specials, spaces, control characters and invisible characters. Source: RFC 5322
 * §3.2.3, RFC 6531 §3.3.
 */
const localPart = /^[^\s"<>(),:;@[\]\\.\p{C}\p{Z}]+(?:\.[^\s"<>(),:;@[\]\\.\p{C}\p{Z}]+)*$/u
