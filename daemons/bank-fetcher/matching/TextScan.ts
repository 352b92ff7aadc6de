/**
 * A text reduced to `A` to `Z` and `0` to `9`, with the hashes of all its parts. The hash of a part is the difference
 * of the hashes of two prefixes, so an invoice number is looked up without making a string of it. Results are shared:
 * they are valid until the next scan.
 */
import { compact, isDigit, maxText } from "./Compact.ts"

/** Base of the polynomial hash. Any odd number without pattern. */
const base = 0x01000193

/** Latin-1 characters: the letter or digit that each becomes, and a second one for umlauts; 0: neither. */
const first = new Uint8Array(256)
const second = new Uint8Array(256)
for (let code = 0; code < 256; code++) {
  const { text } = compact(String.fromCharCode(code))
  first[code] = text.length > 0 ? text.charCodeAt(0) : 0
  second[code] = text.length > 1 ? text.charCodeAt(1) : 0
}

/** Codes of the characters, and 1 where another character stood before, or at the beginning. */
export const codes = new Uint8Array(2 * maxText + 1)
export const gaps = new Uint8Array(2 * maxText + 1)

/** Hashes of the first characters, and powers of the base. */
const prefixes = new Int32Array(2 * maxText + 1)
const powers = new Int32Array(2 * maxText + 1)
powers[0] = 1
for (let exponent = 1; exponent <= 2 * maxText; exponent++) powers[exponent] = Math.imul(powers[exponent - 1]!, base)

/** Scans a text into `codes` and `gaps`; returns the number of characters. */
export const scan = (text: string): number => {
  const end = Math.min(text.length, maxText)
  let length = 0
  let gap = 1
  let hash = 0
  for (let at = 0; at < end; at++) {
    const code = text.charCodeAt(at)
    // Characters beyond Latin-1 are rare, and some become two letters.
    if (code > 255) return scanSlowly(text)
    const letter = first[code]!
    if (letter === 0) {
      gap = 1
      continue
    }
    codes[length] = letter
    gaps[length] = gap
    gap = 0
    hash = (Math.imul(hash, base) + letter) | 0
    prefixes[++length] = hash
    if (second[code] === 0) continue
    codes[length] = second[code]!
    gaps[length] = 0
    hash = (Math.imul(hash, base) + second[code]!) | 0
    prefixes[++length] = hash
  }
  gaps[length] = gap
  return length
}

const scanSlowly = (text: string): number => {
  const whole = compact(text)
  const { length } = whole.text
  let hash = 0
  for (let at = 0; at < length; at++) {
    const code = whole.text.charCodeAt(at)
    codes[at] = code
    gaps[at] = whole.gaps[at]!
    hash = (Math.imul(hash, base) + code) | 0
    prefixes[at + 1] = hash
  }
  gaps[length] = whole.gaps[length]!
  return length
}

/** Hash of the scanned characters from `start` to `end`. */
export const hashOf = (start: number, end: number): number =>
  (prefixes[end]! - Math.imul(prefixes[start]!, powers[end - start]!)) | 0

/** The same hash of a text of letters and digits only. */
export const hashOfKey = (key: string): number => {
  let hash = 0
  for (let at = 0; at < key.length; at++) hash = (Math.imul(hash, base) + key.charCodeAt(at)) | 0
  return hash
}

/** The scanned characters from `start` to `end` as a text. */
export const textOf = (start: number, end: number): string =>
  String.fromCharCode.apply(null, codes.subarray(start, end) as unknown as Array<number>)

/**
 * True where an invoice number may end: before a gap, or before a character of the other kind. So `RE-1` is not found
 * in `RE-10`.
 */
export const mayEnd = (end: number, length: number): boolean =>
  end >= length || gaps[end] === 1 || isDigit(codes[end - 1]!) !== isDigit(codes[end]!)
