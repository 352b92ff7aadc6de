/**
 * Decides whether the tenant's call filters accept a caller from outside. Pure. Whitelists come first and accept their
 * callers. Blacklists then reject theirs. If the tenant has a whitelist, callers on no list are rejected.
 */
import type { CountryCode } from "libphonenumber-js/min"
import { e164, maxSpelling, spellings } from "../directory/Exports.ts"
import type { CallFilter } from "./Rows.ts"

/** Result of one filter. */
export interface Looked {
  readonly filter: CallFilter
  readonly matches: boolean
}

/** `by`: filter that decided; undefined when none matched. */
export interface Verdict {
  readonly passes: boolean
  readonly by: CallFilter | undefined
}

/** Longest pattern that is evaluated. Unit: characters. Reason: a number with stars between its digits. */
const maxPattern = 2 * maxSpelling

/** Spellings of the caller that a pattern may match: as received, E.164, with 00, and national. */
export const writings = (caller: string, country: CountryCode): ReadonlyArray<string> => {
  const came = caller.slice(0, maxSpelling).trim().toLowerCase()
  const number = e164(came, country)
  return number === undefined ? [came] : [came, ...spellings(number, country)]
}

/** Applies the filters to `caller`; `told` receives the result of each evaluated filter, in order. */
export const judge = (
  filters: ReadonlyArray<CallFilter>,
  caller: string,
  country: CountryCode,
  told?: (looked: Looked) => void
): Verdict => {
  const active = filters.filter(({ enabled }) => enabled)
  if (active.length === 0) return { passes: true, by: undefined }
  const written = writings(caller, country)
  const first = (type: CallFilter["type"]) =>
    active.find((filter) => {
      if (filter.type !== type) return false
      const matches = fits(filter.pattern, written)
      told?.({ filter, matches })
      return matches
    })
  const allowed = first("whitelist")
  if (allowed !== undefined) return { passes: true, by: allowed }
  const refused = first("blacklist")
  if (refused !== undefined) return { passes: false, by: refused }
  const strict = active.find(({ type }) => type === "whitelist")
  return { passes: strict === undefined, by: strict }
}

/**
 * Whether a pattern matches one of the spellings: `*` is any text, `?` one character. Spaces, slashes, hyphens and
 * brackets are ignored.
 */
export const fits = (pattern: string, written: ReadonlyArray<string>): boolean => {
  if (pattern.length > maxPattern) return false
  const wanted = pattern.toLowerCase().replace(/[\s()/-]/g, "")
  return wanted !== "" && written.some((text) => wild(wanted, text.replace(/[\s()/-]/g, "")))
}

/**
 * Wildcard match in at most pattern length × text length steps. A regular expression with many stars could take
 * exponential time.
 */
const wild = (pattern: string, text: string): boolean => {
  let at = 0
  let star = -1
  let resume = 0
  let place = 0
  while (at < text.length) {
    if (place < pattern.length && pattern[place] === "*") {
      star = place++
      resume = at
    } else if (place < pattern.length && (pattern[place] === "?" || pattern[place] === text[at])) {
      place++
      at++
    } else if (star !== -1) {
      place = star + 1
      at = ++resume
    } else return false
  }
  while (pattern[place] === "*") place++
  return place === pattern.length
}
