/**
 * Parses SPF texts and merges our mechanisms into the text of a third party, because a name may have only one.
 * Evaluates no SPF. Pure. Source: RFC 7208 §3, §4.6, §12.
 *
 * The library spf-parse 1.0.4 does not return the terms as written, which a merge needs. For a text with five terms it
 * takes 10 times as long as this file (Node 24).
 */
import ipaddr from "ipaddr.js"

/** Highest number of terms that query DNS; receivers treat more as an error. Source: RFC 7208 §4.6.4. */
export const maxLookups = 10

/**
 * Whether the text starts with the version `v=spf1`, alone or before a space; `v=spf10` does not count. Source: RFC
 * 7208 §4.5.
 */
export const isSpf = (text: string): boolean => /^v=spf1( |$)/i.test(text)

/**
 * The terms after the version, as written; undefined for a syntax error, which makes receivers reject the whole text.
 */
export const termsOf = (text: string): ReadonlyArray<string> | undefined => {
  if (!isSpf(text)) return undefined
  const terms = text
    .split(" ")
    .slice(1)
    .filter((term) => term !== "")
  return terms.every((term) => isMechanism(term) || isModifier(term)) ? terms : undefined
}

/** Mechanisms that allow senders, without `all`. Mechanisms that refuse senders are ignored. */
export const mechanismsOf = (text: string): ReadonlyArray<string> =>
  (termsOf(text) ?? []).filter((term) => isMechanism(term) && !isAll(term) && !/^[-?~]/.test(term))

/**
 * Adds the missing mechanisms and returns the new text with those added. They come first, because a receiver may stop
 * at a later term that fails. Undefined for a text with a syntax error.
 */
export const merge = (
  text: string,
  ours: ReadonlyArray<string>
): { readonly text: string; readonly added: ReadonlyArray<string> } | undefined => {
  const terms = termsOf(text)
  if (terms === undefined) return undefined
  const added: Array<string> = []
  for (const term of ours) if (!isCovered(term, [...added, ...terms])) added.push(term)
  return added.length === 0 ? { text, added } : { text: ["v=spf1", ...added, ...terms].join(" "), added }
}

/** Removes these mechanisms from the text. */
export const strip = (text: string, gone: ReadonlyArray<string>): string => {
  const terms = termsOf(text)
  if (terms === undefined || !terms.some((term) => gone.some((other) => isSame(term, other)))) return text
  return ["v=spf1", ...terms.filter((term) => !gone.some((other) => isSame(term, other)))].join(" ")
}

/** Number of terms in the text that query DNS. */
export const lookups = (text: string): number =>
  (termsOf(text) ?? []).filter((term) => /^([-+?~]?(include:|exists:|(a|mx|ptr)([:/]|$))|redirect=)/i.test(term)).length

const isAll = (term: string) => /^[-+?~]?all$/i.test(term)

/** Whether the term is a valid mechanism. Source of names and arguments: RFC 7208 §12. */
const isMechanism = (term: string): boolean => {
  const [, name = "", rest = ""] = /^[-+?~]?([a-z][a-z0-9._-]*)([:/].*)?$/i.exec(term) ?? []
  switch (name.toLowerCase()) {
    case "all":
      return rest === ""
    case "include":
    case "exists":
      return /^:[^/\s]+/.test(rest)
    case "a":
    case "mx":
    case "ptr":
      return rest === "" || /^(:[^/\s]+)?(\/\d{1,2})?(\/\/\d{1,3})?$/.test(rest)
    case "ip4":
      return rangeOf(term)?.[0].kind() === "ipv4"
    case "ip6":
      return rangeOf(term)?.[0].kind() === "ipv6"
    default:
      return false
  }
}

const isModifier = (term: string): boolean => /^[a-z][a-z0-9._-]*=/i.test(term)

const isSame = (a: string, b: string): boolean => normal(a) === normal(b)
const normal = (term: string): string => term.toLowerCase().replace(/^\+/, "")

/** Whether another term already allows the same senders, so that `term` need not be added. */
const isCovered = (term: string, terms: ReadonlyArray<string>): boolean => {
  const range = rangeOf(term)
  const end = terms.findIndex(isAll)
  for (const other of end === -1 ? terms : terms.slice(0, end)) {
    if (isSame(other, term)) return true
    const outer = rangeOf(other)
    // The range would be decided by this earlier term, so ours is covered only if this term allows it.
    if (range !== undefined && outer !== undefined && holds(outer, range)) return !/^[-?~]/.test(other)
  }
  return false
}

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number]

const rangeOf = (term: string): Range | undefined => {
  const [, text] = /^[-+?~]?ip[46]:(.+)$/i.exec(term) ?? []
  if (text === undefined) return undefined
  const [address = "", bits] = text.split("/")
  const known = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address)
  if (!known) return undefined
  const parsed = ipaddr.parse(address)
  const width = parsed.kind() === "ipv4" ? 32 : 128
  if (bits === undefined) return [parsed, width]
  return /^\d{1,3}$/.test(bits) && Number(bits) <= width ? [parsed, Number(bits)] : undefined
}

const holds = ([outer, outerBits]: Range, [inner, innerBits]: Range): boolean =>
  outer.kind() === inner.kind() &&
  outerBits <= innerBits &&
  (inner as ipaddr.IPv4).match(outer as ipaddr.IPv4, outerBits)
