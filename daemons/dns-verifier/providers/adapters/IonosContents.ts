/**
 * Contents between our form and IONOS's: the priority apart, hosts without a trailing dot, TXT bare where that can be.
 * Pure.
 */
import type { Entry } from "#protocols/ionos-dns/Answer.ts"
import { maxString, txtQuoted } from "#protocols/dns/TxtText.ts"
import { canonical } from "./Contents.ts"

/** Types whose first number stands in `prio`. */
const withPriority = new Set(["MX", "SRV"])

/** Our form. Hosts are in full there, with or without a dot at the end. */
export const contentOf = ({ content, prio, type }: Pick<Entry, "content" | "prio" | "type">): string =>
  canonical(type, withPriority.has(type) ? `${prio ?? 0} ${content}` : content)

/** Theirs. */
export const entryOf = (type: string, content: string): { readonly content: string; readonly prio?: number } => {
  if (type === "TXT") return { content: isBare(content) ? content : txtQuoted(content) }
  if (!withPriority.has(type)) return { content }
  const [, prio, rest] = /^(\d+) (.*)$/.exec(content) ?? []
  return prio === undefined || rest === undefined ? { content } : { content: rest, prio: Number(prio) }
}

/** What reads the same with and without quotes: bare texts are what the interface is known to take. */
const isBare = (text: string): boolean =>
  text.length <= maxString &&
  /^[\x21\x23-\x5b\x5d-\x7e](?:[\x20\x21\x23-\x5b\x5d-\x7e]*[\x21\x23-\x5b\x5d-\x7e])?$/.test(text)
