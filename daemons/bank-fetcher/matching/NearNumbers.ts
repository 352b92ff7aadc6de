/**
 * Finds invoice numbers that a text has damaged: one digit wrong, missing or added, or two neighbouring digits swapped.
 * The digits at the end of a number are an integer, so each possible repair is a sum and one look-up.
 */
import { compact, endsAt, isDigit } from "./Compact.ts"
import type { OpenInvoice } from "./Model.ts"

/** Lengths of all keys by their first two characters (`slot`), longest first. */
export type Lengths = ReadonlyArray<ReadonlyArray<number> | undefined>

/** Position of two characters, `0` to `9` or `A` to `Z`, in such a table. */
export const slot = (first: number, second: number): number => (first - 48) * 43 + (second - 48)

/** Most places of a text at which damaged numbers are searched. Reason: each costs about a hundred look-ups. */
const maxPlaces = 4

/** Shortest digits that are recognised with one of them wrong. Unit: digits. Reason: shorter ones fit by chance. */
const leastDigits = 4

/** Longest digits that are an integer without loss. Unit: digits. */
const mostDigits = 15

/** Values that share a page. Reason: numbers mostly run on, so few pages hold them all, and each is nearly full. */
const pageSize = 4_096

/**
 * Numbers with the same characters before their last digits, and as many digits, in pages of consecutive values.
 * Reason: most repairs miss all pages, and an element of an array costs a tenth of a look-up in a large Map.
 */
type Family = Map<number, Array<ReadonlyArray<OpenInvoice> | undefined>>

const powers = Array.from({ length: mostDigits + 1 }, (_, exponent) => 10 ** exponent)

/** Where the digits at the end of a key begin. */
const digitsFrom = (key: string) => {
  let from = key.length
  while (from > 0 && isDigit(key.charCodeAt(from - 1))) from--
  return from
}

/** Calls `take` with each value of `digits` digits that differs from the written one by one damage. */
const repairs = (written: number, count: number, digits: number, take: (value: number) => void) => {
  for (let place = 0; place <= count; place++) {
    const power = powers[place]!
    const low = written % power
    const high = (written - low) / power
    const own = place < count ? high % 10 : -1
    // A digit beside an equal one gives the same value at both places.
    if (digits === count + 1) {
      for (let digit = 0; digit < 10; digit++) if (digit !== own) take((high * 10 + digit) * power + low)
    } else if (place < count) {
      const next = ((high - own) / 10) % 10
      if (digits === count - 1) {
        if (place + 1 === count || next !== own) take(((high - own) / 10) * power + low)
      } else {
        for (let digit = 0; digit < 10; digit++) if (digit !== own) take(written + (digit - own) * power)
        if (place + 1 < count && next !== own) take(written + (next - own) * power + (own - next) * power * 10)
      }
    }
  }
}

/** Makes the search. `byKey`: invoices by their letters and digits. */
export const nearIn = (byKey: ReadonlyMap<string, ReadonlyArray<OpenInvoice>>, lengths: Lengths) => {
  const families = new Map<string, Array<Family | undefined>>()
  for (const [key, invoices] of byKey) {
    const from = digitsFrom(key)
    const digits = key.length - from
    if (digits < leastDigits || digits > mostDigits) continue
    const prefix = key.slice(0, from)
    const ofPrefix = families.get(prefix) ?? []
    families.set(prefix, ofPrefix)
    const family = (ofPrefix[digits] ??= new Map())
    const value = Number(key.slice(from))
    const at = Math.floor(value / pageSize)
    const page = family.get(at) ?? []
    family.set(at, page)
    page[value - at * pageSize] = invoices
  }

  return (text: string): ReadonlyArray<OpenInvoice> => {
    const whole = compact(text)
    const { gaps } = whole
    const letters = whole.text
    const found: Array<OpenInvoice> = []
    let places = 0
    for (let start = 0; start < letters.length - 1 && places < maxPlaces; start++) {
      const first = letters.charCodeAt(start)
      const possible = lengths[slot(first, letters.charCodeAt(start + 1))]
      if (possible === undefined) continue
      if (isDigit(first) && gaps[start] !== 1 && isDigit(letters.charCodeAt(start - 1))) continue
      places++
      for (const length of possible)
        for (let actual = length - 1; actual <= length + 1; actual++) {
          const end = start + actual
          if (end > letters.length || !endsAt(whole, end)) continue
          const key = letters.slice(start, end)
          const from = digitsFrom(key)
          const count = actual - from
          const family = families.get(key.slice(0, from))?.[length - from]
          if (family === undefined || count > mostDigits) continue
          repairs(Number(key.slice(from)), count, length - from, (value) => {
            const at = Math.floor(value / pageSize)
            const invoices = family.get(at)?.[value - at * pageSize]
            if (invoices !== undefined) for (const invoice of invoices) found.push(invoice)
          })
        }
    }
    return found
  }
}
