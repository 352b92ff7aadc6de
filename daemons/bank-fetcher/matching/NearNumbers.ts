/**
 * Finds invoice numbers that a text has damaged: one digit wrong, missing or added, or two neighbouring digits swapped.
 * The digits at the end of a number are an integer, so each possible repair is a sum and one look-up.
 */
import { isDigit } from "./Compact.ts"
import { codes, gaps, mayEnd } from "./TextScan.ts"

/** Position of two characters, `0` to `9` or `A` to `Z`, in a table. */
export const slot = (first: number, second: number): number => (first - 48) * 43 + (second - 48)

/** Size of such a table. */
export const slots = 43 * 43

/** Most places of a text at which damaged numbers are searched. Reason: each costs about a hundred look-ups. */
const maxPlaces = 4

/** Shortest digits that are recognised with one of them wrong. Unit: digits. Reason: shorter ones fit by chance. */
const leastDigits = 4

/** Longest digits that are an integer without loss. Unit: digits. */
const mostDigits = 15

/**
 * Keys with the same characters before their last digits, and as many digits. Values below `least` or above `most` have
 * no key, which skips most repairs. `at`: position of the key with a value between them; -1: none.
 */
interface Family {
  readonly prefix: string
  readonly digits: number
  readonly least: number
  readonly most: number
  readonly at: (value: number) => number
}

/**
 * Largest span of a table, as a multiple of its keys. Reason: invoice numbers mostly run on, and then a look-up is one
 * read; a table with more holes would cost more memory than a Map.
 */
const mostSpan = 8

/** Makes a family of values with the positions of their keys. */
const familyOf = (
  prefix: string,
  digits: number,
  keys: ReadonlyArray<readonly [value: number, at: number]>
): Family => {
  let least = Infinity
  let most = -Infinity
  for (const [value] of keys) {
    least = Math.min(least, value)
    most = Math.max(most, value)
  }
  if (most - least > mostSpan * keys.length) {
    const byValue = new Map(keys)
    return { prefix, digits, least, most, at: (value) => byValue.get(value) ?? -1 }
  }
  const table = new Int32Array(most - least + 1).fill(-1)
  for (const [value, at] of keys) table[value - least] = at
  return { prefix, digits, least, most, at: (value) => table[value - least]! }
}

const powers = Array.from({ length: mostDigits + 1 }, (_, exponent) => 10 ** exponent)

/** Where the digits at the end of a key begin. */
const digitsFrom = (key: string) => {
  let from = key.length
  while (from > 0 && isDigit(key.charCodeAt(from - 1))) from--
  return from
}

/** Takes the position of a key. */
type Take = (at: number) => void

const look = (family: Family, value: number, take: Take) => {
  if (value < family.least || value > family.most) return
  const at = family.at(value)
  if (at !== -1) take(at)
}

/** Looks up `from + digit * power` for all digits but one, as far as the family has values there. */
const lookDigits = (family: Family, from: number, power: number, except: number, take: Take) => {
  const least = Math.max(0, Math.ceil((family.least - from) / power))
  const most = Math.min(9, Math.floor((family.most - from) / power))
  for (let digit = least; digit <= most; digit++) if (digit !== except) look(family, from + digit * power, take)
}

/** Looks up each value of the family's digits that differs from the written one by one damage. */
const repairs = (family: Family, written: number, count: number, take: Take) => {
  const { digits } = family
  for (let place = 0; place <= count; place++) {
    const power = powers[place]!
    const high = Math.floor(written / power)
    const low = written - high * power
    const own = place < count ? high % 10 : -1
    // A digit beside an equal one gives the same value at both places.
    if (digits === count + 1) lookDigits(family, high * 10 * power + low, power, own, take)
    else if (place < count) {
      const above = (high - own) / 10
      const next = above % 10
      if (digits === count - 1) {
        if (place + 1 === count || next !== own) look(family, above * power + low, take)
      } else {
        lookDigits(family, written - own * power, power, own, take)
        if (place + 1 < count && next !== own)
          look(family, written + (next - own) * power + (own - next) * power * 10, take)
      }
    }
  }
}

/** Makes the search over different keys. It looks at the scanned text, which has `length` characters. */
export const nearIn = (keys: ReadonlyArray<string>) => {
  const members = new Map<string, Array<readonly [value: number, at: number]>>()
  for (const [at, key] of keys.entries()) {
    const from = digitsFrom(key)
    const digits = key.length - from
    if (digits < leastDigits || digits > mostDigits) continue
    const name = `${digits} ${key.slice(0, from)}`
    const known = members.get(name) ?? []
    members.set(name, known)
    known.push([Number(key.slice(from)), at])
  }
  /** Families by the first two characters of their keys. */
  const bySlot: Array<Array<Family> | undefined> = Array.from({ length: slots })
  for (const [name, found] of members) {
    const [digits = "", prefix = ""] = name.split(" ")
    const family = familyOf(prefix, Number(digits), found)
    const firsts = new Set(found.map(([, at]) => slot(keys[at]!.charCodeAt(0), keys[at]!.charCodeAt(1))))
    for (const at of firsts) (bySlot[at] ??= []).push(family)
  }

  return (length: number, take: Take): void => {
    let places = 0
    for (let start = 0; start < length - 1 && places < maxPlaces; start++) {
      const first = codes[start]!
      const at = slot(first, codes[start + 1]!)
      const families = bySlot[at]
      if (families === undefined) continue
      if (isDigit(first) && gaps[start] !== 1 && isDigit(codes[start - 1]!)) continue
      places++
      for (const family of families) searchAt(family, start, length, take)
    }
  }
}

/** Looks for damaged numbers of the family at one place. */
const searchAt = (family: Family, start: number, length: number, take: Take) => {
  const { digits, prefix } = family
  for (let at = 0; at < prefix.length; at++) if (codes[start + at] !== prefix.charCodeAt(at)) return
  const from = start + prefix.length
  let value = 0
  for (let count = 1; count <= digits + 1 && count <= mostDigits; count++) {
    const code = codes[from + count - 1]!
    if (from + count > length || !isDigit(code)) return
    value = value * 10 + code - 48
    if (count >= digits - 1 && mayEnd(from + count, length)) repairs(family, value, count, take)
  }
}
