/**
 * Conversion of contents to and from IONOS's form: separate priority, host names without a final dot, TXT without
 * quotes where possible. Pure.
 */
import type { Entry } from "#protocols/ionos-dns/Answer.ts"
import { maxString, txtQuoted } from "#protocols/dns/TxtText.ts"
import { canonical } from "./Contents.ts"

/** Types whose first number is the field `prio`. */
const withPriority = new Set(["MX", "SRV"])

/** Converts to our form. IONOS's host names are absolute, with or without a final dot. */
export const contentOf = ({ content, prio, type }: Pick<Entry, "content" | "prio" | "type">): string =>
  canonical(type, withPriority.has(type) ? `${prio ?? 0} ${content}` : content)

/** Converts to IONOS's form. */
export const entryOf = (type: string, content: string): { readonly content: string; readonly prio?: number } => {
  if (type === "TXT") return { content: isBare(content) ? content : txtQuoted(content) }
  if (!withPriority.has(type)) return { content }
  const [, prio, rest] = /^(\d+) (.*)$/.exec(content) ?? []
  return prio === undefined || rest === undefined ? { content } : { content: rest, prio: Number(prio) }
}

/** Whether the text reads the same without quotes. Unquoted texts are known to work. */
const isBare = (text: string): boolean =>
  text.length <= maxString &&
  /^[\x21\x23-\x5b\x5d-\x7e](?:[\x20\x21\x23-\x5b\x5d-\x7e]*[\x21\x23-\x5b\x5d-\x7e])?$/.test(text)
