/** Classifies a dialled number: a DID of ours in any spelling, an outside number, or neither. Pure. */
import type { CountryCode } from "libphonenumber-js/min"
import { remembering } from "#core/lane/Remembering.ts"
import { e164, maxSpelling } from "../directory/Exports.ts"
import type { Did } from "./Rows.ts"
import type { Telephony } from "./Telephony.ts"

/** Fewest digits of an outside number dialled without + or 0. Reason: shorter numbers are nonexistent extensions. */
const shortestBare = 7

/**
 * Maximum number of parsed numbers in the cache. Reason: parsing a number costs as much as the rest of a routing
 * decision.
 */
const remembered = 20_000

const readings = new Map<CountryCode, (spelling: string) => string | null>()

/** Cached `e164`; null when the text is no telephone number. */
const read = (country: CountryCode, spelling: string): string | null => {
  let reading = readings.get(country)
  if (reading === undefined)
    readings.set(country, (reading = remembering(remembered, (text: string) => e164(text, country) ?? null)))
  return reading(spelling)
}

export interface Dialled {
  /** Matching DID of any tenant. */
  readonly did: Did | undefined
  /** E.164; undefined when it is no number of the telephone network. */
  readonly outside: string | undefined
}

const nothing: Dialled = { did: undefined, outside: undefined }

/** Accepts `+49…`, `0049…`, `49…` and `0…`. */
export const dialled = (telephony: Telephony, country: CountryCode, spelling: string): Dialled => {
  if (spelling.length > maxSpelling || !/^\+?\d+$/.test(spelling)) return nothing
  // Finds common spellings without parsing the number.
  const direct = spelling.startsWith("+")
    ? spelling
    : spelling.startsWith("00")
      ? `+${spelling.slice(2)}`
      : `+${spelling}`
  const did = telephony.did(direct)
  if (did !== undefined) return { did, outside: did.number }
  if (!/^[+0]/.test(spelling) && spelling.length < shortestBare) return nothing
  const number = read(country, spelling)
  return number === null ? nothing : { did: telephony.did(number), outside: number }
}
