/**
 * Whether a caller from outside is let through. Pure. A whitelist lets its callers through whatever else there is; a
 * blacklist refuses its own; and where there is a whitelist, whoever is on none is refused.
 */
import type { CountryCode } from "libphonenumber-js/min"
import { e164, maxSpelling, spellings } from "../directory/Exports.ts"
import type { CallFilter } from "./Rows.ts"

/** One filter that was looked at. */
export interface Looked {
  readonly filter: CallFilter
  readonly matches: boolean
}

/** `by`: the filter that decided; undefined: none fitted. */
export interface Verdict {
  readonly passes: boolean
  readonly by: CallFilter | undefined
}

/** Longest pattern that is tried. Unit: characters. Reason: a number, and stars between its digits. */
const maxPattern = 2 * maxSpelling

/** The caller in every way a pattern may be written: as it came, in E.164, with 00, as within the country. */
export const writings = (caller: string, country: CountryCode): ReadonlyArray<string> => {
  const came = caller.slice(0, maxSpelling).trim().toLowerCase()
  const number = e164(came, country)
  return number === undefined ? [came] : [came, ...spellings(number, country)]
}

/** Judges `caller`; `told` hears of each filter that was looked at, in turn. */
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
 * Whether a pattern fits one of the writings: `*` is any text, `?` one character, spaces and brackets of numbers count
 * for nothing.
 */
export const fits = (pattern: string, written: ReadonlyArray<string>): boolean => {
  if (pattern.length > maxPattern) return false
  const wanted = pattern.toLowerCase().replace(/[\s()/-]/g, "")
  return wanted !== "" && written.some((text) => wild(wanted, text.replace(/[\s()/-]/g, "")))
}

/**
 * In steps no more than the product of the lengths, whatever the pattern: a regular expression of stars may take for
 * ever.
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
