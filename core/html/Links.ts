/**
 * Validates contact links that users or their programs entered. Each function returns the cleaned value, or undefined
 * when it cannot be linked. Pure. Source: spec 3 §2.6.
 */
import { safeUrl, webSchemes } from "./SafeUrl.ts"

/** Attributes of links that lead to other sites. */
export const externalLink = { rel: "noopener noreferrer", target: "_blank" } as const

/**
 * Longest value that is checked. Unit: characters. Reason: a mail address has at most 254 characters (RFC 5321
 * §4.5.3.1); a website may be longer.
 */
export const maxContactLink = 2000

/**
 * Cleans a mail address: removes control characters, requires one at-sign between two parts, refuses script schemes.
 */
export const email = (value: string): string | undefined => {
  const text = bare(value)
  return text !== undefined && /^[^\s@<>"]+@[^\s@<>"]+$/.test(text) && !scheme.test(text) ? text : undefined
}

/** Cleans a telephone number: keeps plus, digits, spaces, brackets and hyphens. A value with letters is refused. */
export const phone = (value: string): string | undefined => {
  const text = bare(value)
  if (text === undefined || /\p{L}/u.test(text)) return undefined
  const number = text.replace(/[^+\d ()[\]-]/g, "").trim()
  return /\d/.test(number) ? number : undefined
}

/** Normalises an http or https address. An address without a scheme is refused. */
export const website = (value: string): string | undefined =>
  value.length > maxContactLink ? undefined : safeUrl(value, webSchemes)

/** Hosts of messenger addresses. Source: the short-link hosts of the messenger. */
const messengerHosts: ReadonlyArray<string> = ["t.me", "telegram.me", "telegram.dog"]

/**
 * A handle of 3 to 32 letters, digits and underscores, without its leading at-sign; or an https address of the
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

/** Fewest characters of a chat app's number. Source: spec 3 §2.6. */
export const minChatApp = 5

/** Digits with an optional leading plus. Spaces and separators between the digits are removed. */
export const chatApp = (value: string): string | undefined => {
  const number = bare(value)?.replace(/[\s()[\]./-]/g, "")
  return number !== undefined && number.length >= minChatApp && /^\+?\d+$/.test(number) ? number : undefined
}

/** Schemes that execute code. A value such as `javascript:x@y` would pass as a mail address without this check. */
const scheme = /^\s*(?:javascript|data|vbscript):/i

const bare = (value: string): string | undefined =>
  value.length > maxContactLink
    ? undefined
    : value
        .toWellFormed()
        .replace(/[\p{Cc}\p{Cf}]/gu, "")
        .trim()
