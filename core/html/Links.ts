/**
 * Links of a contact, as strangers or their programs filled them in: what may be shown as a link, and what may not.
 * Pure. Each gives the cleaned value, or undefined when there is nothing to link to. Source: spec 3 §2.6.
 */
import { safeUrl, webSchemes } from "./SafeUrl.ts"

/** What a link that leads out of our pages carries. */
export const externalLink = { rel: "noopener noreferrer", target: "_blank" } as const

/**
 * Longest value that is looked at. Unit: characters. Reason: an address of mail has at most 254 (RFC 5321 §4.5.3.1), a
 * website some more.
 */
export const maxContactLink = 2000

/** Control characters are taken out; an at-sign between two parts must be left, and no script. */
export const email = (value: string): string | undefined => {
  const text = bare(value)
  return text !== undefined && /^[^\s@<>"]+@[^\s@<>"]+$/.test(text) && !scheme.test(text) ? text : undefined
}

/** Plus, digits, spaces, brackets and hyphens. Other signs between digits go; letters make it no number at all. */
export const phone = (value: string): string | undefined => {
  const text = bare(value)
  if (text === undefined || /\p{L}/u.test(text)) return undefined
  const number = text.replace(/[^+\d ()[\]-]/g, "").trim()
  return /\d/.test(number) ? number : undefined
}

/** An http or https address in normal form. One without a scheme is none: we do not guess. */
export const website = (value: string): string | undefined =>
  value.length > maxContactLink ? undefined : safeUrl(value, webSchemes)

/** Hosts of messenger addresses. Source: the messenger's own short links. */
const messengerHosts: ReadonlyArray<string> = ["t.me", "telegram.me", "telegram.dog"]

/**
 * A handle of 3 to 32 letters, digits and underscores (an at-sign before it is taken off), or an https address of the
 * messenger.
 */
export const messenger = (value: string): string | undefined => {
  const text = bare(value)
  if (text === undefined) return undefined
  const handle = text.replace(/^@/, "")
  if (/^[a-zA-Z0-9_]{3,32}$/.test(handle)) return handle
  const href = safeUrl(text, ["https"])
  return href !== undefined && messengerHosts.includes(new URL(href).host) ? href : undefined
}

/** Fewest characters of a chat app's number. Unit: characters. Source: spec 3 §2.6. */
export const minChatApp = 5

/** Digits with or without a plus before them; what people write between the digits is taken out. */
export const chatApp = (value: string): string | undefined => {
  const number = bare(value)?.replace(/[\s()[\]./-]/g, "")
  return number !== undefined && number.length >= minChatApp && /^\+?\d+$/.test(number) ? number : undefined
}

/** Schemes that run something. Before an at-sign too: `javascript:x@y`. */
const scheme = /^\s*(?:javascript|data|vbscript):/i

const bare = (value: string): string | undefined =>
  value.length > maxContactLink
    ? undefined
    : value
        .toWellFormed()
        .replace(/[\p{Cc}\p{Cf}]/gu, "")
        .trim()
