/**
 * SPF texts: told apart, and ours put into somebody else's, as a name may have one only. Nothing is evaluated. Pure.
 * Source: RFC 7208 §3, §4.6, §12.
 */
import ipaddr from "ipaddr.js"

/** Terms that ask DNS, at most so many in a text; more are an error to receivers. Source: RFC 7208 §4.6.4. */
export const maxLookups = 10

/** `v=spf1` and then a blank or nothing; what else begins so (`v=spf10`) is another text. Source: RFC 7208 §4.5. */
export const isSpf = (text: string): boolean => /^v=spf1( |$)/i.test(text)

/** The terms behind the version, as they are written; undefined: broken, and so an error to receivers. */
export const termsOf = (text: string): ReadonlyArray<string> | undefined => {
  if (!isSpf(text)) return undefined
  const terms = text
    .split(" ")
    .slice(1)
    .filter((term) => term !== "")
  return terms.every((term) => isMechanism(term) || isModifier(term)) ? terms : undefined
}

/** The mechanisms that let somebody send, without `all`. Those that refuse are left to the text that they stand in. */
export const mechanismsOf = (text: string): ReadonlyArray<string> =>
  (termsOf(text) ?? []).filter((term) => isMechanism(term) && !isAll(term) && !/^[-?~]/.test(term))

/**
 * The text with these mechanisms in it, none doubled, and those that were added. They come first: behind a term that
 * fails or asks DNS in vain they might not be looked at, and an address asks nothing. A broken text gives undefined.
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

/** The text without these mechanisms. */
export const strip = (text: string, gone: ReadonlyArray<string>): string => {
  const terms = termsOf(text)
  if (terms === undefined || !terms.some((term) => gone.some((other) => isSame(term, other)))) return text
  return ["v=spf1", ...terms.filter((term) => !gone.some((other) => isSame(term, other)))].join(" ")
}

/** How many terms of the text ask DNS. */
export const lookups = (text: string): number =>
  (termsOf(text) ?? []).filter((term) => /^([-+?~]?(include:|exists:|(a|mx|ptr)([:/]|$))|redirect=)/i.test(term)).length

const isAll = (term: string) => /^[-+?~]?all$/i.test(term)

/** Source: RFC 7208 §12, its names and whether each takes a domain or an address. */
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

/** Whether one of the terms lets pass whom `term` lets pass, so that it need not be said again. */
const isCovered = (term: string, terms: ReadonlyArray<string>): boolean => {
  const range = rangeOf(term)
  const end = terms.findIndex(isAll)
  for (const other of end === -1 ? terms : terms.slice(0, end)) {
    if (isSame(other, term)) return true
    const outer = rangeOf(other)
    // Ours would be refused by this one before a later one is looked at.
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
