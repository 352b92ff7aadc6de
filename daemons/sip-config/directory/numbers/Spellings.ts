/**
 * Converts between the spellings of telephone numbers used by trunks, switches and people. Pure. Source: ITU-T E.164;
 * libphonenumber has the numbering plans.
 */
import { type CountryCode, parsePhoneNumberFromString } from "libphonenumber-js/min"

/** Number of final digits by which callers are looked up. Source: interface document 1 §6, §8. */
export const tailLength = 10

/**
 * Longest text parsed as a telephone number. Unit: characters. Reason: E.164 has 15 digits; the rest is room for
 * separators.
 */
export const maxSpelling = 64

/**
 * Last ten digits, or all digits when there are fewer. Undefined for fewer than five digits, as in an extension or
 * `anonymous`.
 */
export const tail = (spelling: string): string | undefined => {
  const digits = spelling.slice(0, maxSpelling).replace(/\D/g, "")
  return digits.length < 5 ? undefined : digits.slice(-tailLength)
}

/**
 * Final digits under which calls with this number are stored: of the number as written and of its E.164 form. An
 * extension is returned unchanged.
 */
export const tails = (spelling: string, country: CountryCode): ReadonlyArray<string> => {
  const ends = [spelling, e164(spelling.trim(), country) ?? spelling].map((text) =>
    text.replace(/\D/g, "").slice(-tailLength)
  )
  return [...new Set(ends)]
}

/**
 * E.164 form of any spelling, such as `+4930123456`; undefined for an impossible number. `country`: country of national
 * numbers.
 */
export const e164 = (spelling: string, country: CountryCode): string | undefined => {
  if (spelling.length > maxSpelling || !/^[+\d(][\d\s()/.-]*$/.test(spelling)) return undefined
  // Accepts 00 as the international prefix in every country. The library only knows the prefix of `country`, which not
  // every trunk sends.
  const parsed = parsePhoneNumberFromString(spelling.replace(/^00/, "+"), country)
  return parsed?.isPossible() === true ? parsed.number : undefined
}

/** Spellings in which a trunk may send one of our numbers: `+49…`, `49…`, `0049…`, and the national `0…`. */
export const spellings = (number: string, country: CountryCode): ReadonlyArray<string> => {
  const parsed = parsePhoneNumberFromString(number)
  const digits = number.replace(/\D/g, "")
  const national = parsed?.country === country ? [parsed.formatNational().replace(/\D/g, "")] : []
  return [...new Set([number, digits, `00${digits}`, ...national])]
}
