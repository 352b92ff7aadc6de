/**
 * Texts without case, blanks and separators, for the search of invoice numbers. Banks and payers change all three.
 */

/** Longest text that is searched. Unit: characters. Reason: SEPA allows 140; the longest MT940 reference has 390. */
export const maxText = 1_024

/** Letters that become two. Source: German bank forms, which have no umlauts. */
const spelled: Readonly<Record<string, string>> = { Ä: "AE", Ö: "OE", Ü: "UE", ẞ: "SS" }

const spelledLetter = new RegExp(`[${Object.keys(spelled).join("")}]`, "g")

const nine = 57

/** A text reduced to `A` to `Z` and `0` to `9`. */
export interface Compact {
  readonly text: string
  /** 1 where another character stood before this one in the original text, or at the beginning. */
  readonly gaps: Uint8Array
}

/** Reused by each call of `compact`: only valid until the next call. */
const gaps = new Uint8Array(2 * maxText + 1)
const codes = new Uint16Array(2 * maxText + 1)

const upper = (text: string) =>
  (text.length > maxText ? text.slice(0, maxText) : text)
    .toUpperCase()
    .replace(spelledLetter, (letter) => spelled[letter]!)
    .slice(0, 2 * maxText)

/** Compacts a text. The result's `gaps` is shared: only valid until the next call. */
export const compact = (text: string): Compact => {
  const all = upper(text)
  let length = 0
  let gap = 1
  for (let at = 0; at < all.length; at++) {
    const code = all.charCodeAt(at)
    if ((code >= 48 && code <= nine) || (code >= 65 && code <= 90)) {
      codes[length] = code
      gaps[length++] = gap
      gap = 0
    } else gap = 1
  }
  gaps[length] = gap
  return { text: String.fromCharCode.apply(null, codes.subarray(0, length) as unknown as Array<number>), gaps }
}

/** The key of an invoice number: its letters and digits. */
export const keyOf = (number: string): string => compact(number).text

export const isDigit = (code: number): boolean => code >= 48 && code <= nine
