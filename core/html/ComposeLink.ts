/**
 * Cleans the parameters of a compose link (`to`, `cc`, `subject`, `body`) so that they can be put into the form. The
 * link may come from an untrusted author. Pure. Source: spec 3 §2.6.
 */
import { escaped } from "./Escape.ts"
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
  /** One line of plain text, not HTML-escaped. */
  readonly subject: string
  /** HTML-escaped text; line breaks are kept. */
  readonly body: string
}

/** Longest subject. Unit: characters (code points). Source: spec 3 §2.6. */
export const maxSubject = 200
/** Longest body before HTML escaping. Unit: characters (code points). Source: spec 3 §2.6. */
export const maxBody = 2000
/** Maximum number of addresses per parameter. Reason: a link that fills in hundreds of addresses is abuse. */
export const maxAddresses = 50

export const cleanCompose = (given: ComposeParameters): Compose => ({
  to: addresses(given.to ?? ""),
  cc: addresses(given.cc ?? ""),
  subject: first((given.subject ?? "").replace(/\p{Cc}+/gu, " ").trim(), maxSubject),
  body: escaped(first((given.body ?? "").replace(/\r\n?/g, "\n").replace(/(?![\t\n])\p{Cc}/gu, ""), maxBody))
})

/**
 * Splits a list at commas and semicolons; of `Name <a@b>` it keeps the address alone. Drops invalid addresses and
 * duplicates.
 */
const addresses = (list: string): ReadonlyArray<string> => {
  const cleaned = list
    .slice(0, maxList)
    .split(/[,;]/)
    .flatMap((part) => email(/<([^<>]*)>\s*$/.exec(part)?.[1] ?? part) ?? [])
  return Array.from(new Set(cleaned)).slice(0, maxAddresses)
}

/** Longest list that is parsed. Unit: characters. Reason: room for fifty of the longest addresses with names. */
const maxList = maxAddresses * 400

/** The first `characters` code points. Never ends in half a surrogate pair. */
const first = (text: string, characters: number): string =>
  Array.from(text.slice(0, 2 * characters).toWellFormed())
    .slice(0, characters)
    .join("")
