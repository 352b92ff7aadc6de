/**
 * A sign-in address in the one form in which it is stored and compared. Pure. Says nothing about whether the mailbox
 * exists.
 *
 * Upper and lower case are one address, although RFC 5321 §2.4 lets a mail server part them in the local part: none in
 * use does, and two users told apart by a capital letter would be a way to be taken for somebody else. Quoted local
 * parts, comments and address literals are refused: they are written in many ways for one thing, and no person signs in
 * with them.
 */
import { normaliseDomain } from "./Domain.ts"

/** Unit: bytes of UTF-8. Source: RFC 5321 §4.5.3.1.1. */
export const maxLocalPart = 64

/** Unit: bytes. Source: RFC 5321 §4.5.3.1.3, a path of 256 with its two angle brackets. */
export const maxAddress = 254

/** Unit: bytes. Source: RFC 1035 §2.3.4. */
const maxLabel = 63

/**
 * Most that is read of what somebody types. Unit: UTF-16 units. Reason: spaces around and parts that compose shorten
 * it.
 */
const maxTyped = 4 * maxAddress

/**
 * Trimmed, Unicode in its composed form (NFC), lower case, the domain in ASCII; undefined when it is no address one can
 * sign in with. What comes out holds no space, no control character and exactly one `@`. Normalising it again changes
 * nothing.
 */
export const normaliseEmail = (text: string): string | undefined => {
  if (text.length > maxTyped) return undefined
  const trimmed = text.trim()
  const at = trimmed.lastIndexOf("@")
  const local = folded(trimmed.slice(0, Math.max(0, at)))
  const domain = normaliseDomain(trimmed.slice(at + 1))
  if (at < 0 || domain === undefined || !localPart.test(local)) return undefined
  // What ends in a number is an IPv4 address to whoever resolves it (`0x7f.1` becomes `127.0.0.1` on the way to ASCII).
  if (/(?:^|\.)\d+$/.test(domain) || domain.split(".").some((label) => label.length > maxLabel)) return undefined
  const bytes = Buffer.byteLength(local)
  return bytes > maxLocalPart || bytes + 1 + domain.length > maxAddress ? undefined : `${local}@${domain}`
}

/** The part before the `@` of a normalised address. */
export const localPartOf = (email: string): string => email.slice(0, email.lastIndexOf("@"))

/** Composed last: a few capitals fall apart into letter and mark when they are made small, and then compose again. */
const folded = (text: string): string => text.toLowerCase().normalize("NFC")

/**
 * Words joined by single dots, without specials, spaces, control and invisible characters. Source: RFC 5322 §3.2.3, RFC
 * 6531 §3.3.
 */
const localPart = /^[^\s"<>(),:;@[\]\\.\p{C}\p{Z}]+(?:\.[^\s"<>(),:;@[\]\\.\p{C}\p{Z}]+)*$/u
