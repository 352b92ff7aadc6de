/**
 * Parameters of an address that opens a new mail (`to`, `cc`, `subject`, `body`), which anybody may have written:
 * cleaned so that they can be put into the form. Pure. Source: spec 3 §2.6.
 */
import { email } from "./Links.ts"

export interface ComposeParameters {
  readonly to?: string | undefined
  readonly cc?: string | undefined
  readonly subject?: string | undefined
  readonly body?: string | undefined
}

export interface Compose {
  readonly to: ReadonlyArray<string>
  readonly cc: ReadonlyArray<string>
  /** One line of text, not escaped. */
  readonly subject: string
  /** Text escaped for HTML; line breaks are left as they are. */
  readonly body: string
}

/** Unit: characters (code points). Source: spec 3 §2.6. */
export const maxSubject = 200
/** Unit: characters (code points), before they are escaped. Source: spec 3 §2.6. */
export const maxBody = 2000
/** Addresses that are taken from one parameter. Unit: addresses. Reason: a link that fills in hundreds is a trap. */
export const maxAddresses = 50

export const cleanCompose = (given: ComposeParameters): Compose => ({
  to: addresses(given.to ?? ""),
  cc: addresses(given.cc ?? ""),
  subject: first((given.subject ?? "").replace(/\p{Cc}+/gu, " ").trim(), maxSubject),
  body: escapeHtml(first((given.body ?? "").replace(/\r\n?/g, "\n").replace(/(?![\t\n])\p{Cc}/gu, ""), maxBody))
})

/** Text that stands for itself in HTML, in attributes too. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/**
 * Comma or semicolon between them; `Name <a@b>` gives the address alone. What is no address is left out, doubles too.
 */
const addresses = (list: string): ReadonlyArray<string> => {
  const cleaned = list
    .slice(0, maxList)
    .split(/[,;]/)
    .flatMap((part) => email(/<([^<>]*)>\s*$/.exec(part)?.[1] ?? part) ?? [])
  return Array.from(new Set(cleaned)).slice(0, maxAddresses)
}

/** Longest list that is read. Unit: characters. Reason: fifty of the longest addresses with names. */
const maxList = maxAddresses * 400

/** Without half a character at the end. */
const first = (text: string, characters: number): string =>
  Array.from(text.slice(0, 2 * characters).toWellFormed())
    .slice(0, characters)
    .join("")
