/**
 * Telephone numbers in the spellings that lines, switches and people use. Pure. Source: ITU-T E.164; the plans
 * themselves are libphonenumber's.
 */
import { type CountryCode, parsePhoneNumberFromString } from "libphonenumber-js/min"

/** Digits by which a caller is looked up. Source: interface document 1 §6, §8. */
export const tailLength = 10

/**
 * Longest text read as a number. Unit: characters. Reason: E.164 has 15 digits; the rest is room for how people write.
 */
export const maxSpelling = 64

/**
 * The last ten digits, or all there are; undefined where there are fewer than five, as of an extension or `anonymous`.
 */
export const tail = (spelling: string): string | undefined => {
  const digits = spelling.slice(0, maxSpelling).replace(/\D/g, "")
  return digits.length < 5 ? undefined : digits.slice(-tailLength)
}

/**
 * The ends by which calls of a number are found: of the number as it is written and, where it is one, with its country.
 * Extensions are their own.
 */
export const tails = (spelling: string, country: CountryCode): ReadonlyArray<string> => {
  const ends = [spelling, e164(spelling.trim(), country) ?? spelling].map((text) =>
    text.replace(/\D/g, "").slice(-tailLength)
  )
  return [...new Set(ends)]
}

/** `+4930123456` from any spelling, a national one being of `country`; undefined when it is no number that could be. */
export const e164 = (spelling: string, country: CountryCode): string | undefined => {
  if (spelling.length > maxSpelling || !/^[+\d(][\d\s()/.-]*$/.test(spelling)) return undefined
  // The international prefix of most countries; the library knows that of `country`, and not every line sends that.
  const parsed = parsePhoneNumberFromString(spelling.replace(/^00/, "+"), country)
  return parsed?.isPossible() === true ? parsed.number : undefined
}

/** How a line may name the number of ours that was called: `+49…`, `49…`, `0049…`, and as within the country, `0…`. */
export const spellings = (number: string, country: CountryCode): ReadonlyArray<string> => {
  const parsed = parsePhoneNumberFromString(number)
  const digits = number.replace(/\D/g, "")
  const national = parsed?.country === country ? [parsed.formatNational().replace(/\D/g, "")] : []
  return [...new Set([number, digits, `00${digits}`, ...national])]
}
