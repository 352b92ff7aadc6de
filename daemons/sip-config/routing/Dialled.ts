/** What a dialled number is: one of ours in one of its spellings, one outside, or none. Pure. */
import type { CountryCode } from "libphonenumber-js/min"
import { remembering } from "#core/lane/Remembering.ts"
import { e164, maxSpelling } from "../directory/Exports.ts"
import type { Did } from "./Rows.ts"
import type { Telephony } from "./Telephony.ts"

/**
 * Called without a country, from everywhere within. Source: ITU-T E.161.1; 110 and 112: German TKG §164; 911, 999:
 * habit elsewhere.
 */
export const emergencyNumbers: ReadonlySet<string> = new Set(["110", "112", "911", "999"])

/**
 * Fewest digits of a number outside that is dialled without + or 0. Reason: shorter ones are extensions that do not
 * exist.
 */
const shortestBare = 7

/** Numbers whose reading is remembered. Unit: numbers. Reason: reading one costs as much as the rest of an answer. */
const remembered = 20_000

const readings = new Map<CountryCode, (spelling: string) => string | null>()

/** In E.164, or null; as `e164`, remembered. */
const read = (country: CountryCode, spelling: string): string | null => {
  let reading = readings.get(country)
  if (reading === undefined)
    readings.set(country, (reading = remembering(remembered, (text: string) => e164(text, country) ?? null)))
  return reading(spelling)
}

export interface Dialled {
  /** The number of ours. */
  readonly did: Did | undefined
  /** E.164; undefined: no number of the telephone network. */
  readonly outside: string | undefined
}

const nothing: Dialled = { did: undefined, outside: undefined }

/** Reads `+49…`, `0049…`, `49…` and `0…`. */
export const dialled = (telephony: Telephony, country: CountryCode, spelling: string): Dialled => {
  if (spelling.length > maxSpelling || !/^\+?\d+$/.test(spelling)) return nothing
  // The common spellings are found without taking the number apart.
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
