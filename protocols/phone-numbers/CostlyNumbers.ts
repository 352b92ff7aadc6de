/**
 * Numbers whose calls cost far more than others and are the goal of toll fraud: premium rate, shared cost and
 * satellite. Pure. It knows no prices.
 *
 * Source: number types of libphonenumber (metadata "max", since "min" has no types); ITU-T E.164 for the country codes
 * of satellite and global networks.
 */
import { parsePhoneNumberFromString } from "libphonenumber-js/max"

export type Costly = "premium-rate" | "shared-cost" | "satellite"

/** Country codes without a country: Inmarsat, global mobile satellite, international networks, premium rate. */
const global: Readonly<Record<string, Costly>> = {
  "870": "satellite",
  "881": "satellite",
  "882": "satellite",
  "883": "satellite",
  "979": "premium-rate"
}

const types: Readonly<Record<string, Costly>> = { PREMIUM_RATE: "premium-rate", SHARED_COST: "shared-cost" }

/**
 * Kind of a costly number in E.164; undefined for all others. A number of unassigned length counts like the range that
 * it begins with, because networks route by the first digits.
 */
export const costly = (number: string): Costly | undefined => {
  const parsed = parsePhoneNumberFromString(number, { extract: false })
  if (parsed === undefined) return undefined
  const found = global[parsed.countryCallingCode] ?? types[parsed.getType() ?? ""]
  if (found !== undefined || parsed.getType() !== undefined) return found
  const lengths = [-3, -2, -1, 1, 2, 3]
  const similar = lengths.map((more) => (more < 0 ? number.slice(0, more) : number + "0".repeat(more)))
  for (const one of similar) {
    const type = types[parsePhoneNumberFromString(one, { extract: false })?.getType() ?? ""]
    if (type !== undefined) return type
  }
  return undefined
}
