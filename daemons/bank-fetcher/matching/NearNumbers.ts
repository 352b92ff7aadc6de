/**
 * Finds invoice numbers that a text has damaged: one digit wrong, missing or added, or two neighbouring digits swapped.
 * The digits at the end of a number are an integer, so each possible repair is a sum and one look-up.
 */
import { isDigit } from "./Compact.ts"
import { noId } from "./KeyTable.ts"
import { codes, gaps, mayEnd, scan } from "./TextScan.ts"

/** Position of two characters, `0` to `9` or `A` to `Z`, in a table. */
export const slot = (first: number, second: number): number => (first - 48) * 43 + (second - 48)

/** Size of such a table. */
export const slots = 43 * 43

/**
 * Maximum number of places of a text at which damaged numbers are searched. Reason: each costs about a hundred
 * look-ups.
 */
const maxPlaces = 4

/** Shortest digits that are recognised with one of them wrong. Unit: digits. Reason: shorter ones fit by chance. */
const leastDigits = 4

/** Longest digits that are an integer without loss. Unit: digits. */
const mostDigits = 15

/**
 * Largest span of a table, as a multiple of its keys. Reason: invoice numbers mostly run on, and then a look-up is one
 * read; a table with more holes would cost more memory than a Map.
 */
const mostSpan = 8

/**
 * Keys with the same characters before their last digits, and as many digits. Values below `least` or above `most` have
 * no key, which skips most repairs.
 */
class Family {
  readonly prefix: string
  readonly digits: number
  readonly least: number
  readonly most: number
  /** Ids of the keys: by value from `least`, or in a Map when that would have too many holes. */
  readonly #table: Int32Array | undefined
  readonly #byValue: ReadonlyMap<number, number> | undefined

  constructor(prefix: string, digits: number, keys: ReadonlyArray<readonly [value: number, id: number]>) {
    let [least, most] = [Infinity, -Infinity]
    for (const [value] of keys) {
      least = Math.min(least, value)
      most = Math.max(most, value)
    }
    this.prefix = prefix
    this.digits = digits
    this.least = least
    this.most = most
    if (most - least > mostSpan * keys.length) this.#byValue = new Map(keys)
    else {
      this.#table = new Int32Array(most - least + 1).fill(noId)
      for (const [value, id] of keys) this.#table[value - least] = id
    }
  }

  /** Id of the key with a value from `least` to `most`; `noId`: none. */
  idOf(value: number): number {
    return this.#table === undefined ? (this.#byValue!.get(value) ?? noId) : this.#table[value - this.least]!
  }
}

const powers = Array.from({ length: mostDigits + 1 }, (_, exponent) => 10 ** exponent)

const zero = 48

/** Where the digits at the end of a key begin. */
const digitsFrom = (key: string) => {
  let from = key.length
  while (from > 0 && isDigit(key.charCodeAt(from - 1))) from--
  return from
}

/** Maximum number of keys that one search finds. Reason: four places with 170 repairs each, and some families. */
const mostFound = 2_048

/**
 * Ids of the keys that the last search has found. They are gathered before anybody looks at the invoices, because the
 * processor then fetches many invoices from memory at once.
 */
const found = new Int32Array(mostFound)
let count = 0
/**
 * Keys and text of the last search. Reason: the check for contradictions and the search for evidence look at one text.
 */
let searchedKeys: ReadonlyArray<string> | undefined
let searchedText = ""

const look = (family: Family, value: number) => {
  if (value < family.least || value > family.most) return
  const id = family.idOf(value)
  if (id !== noId && count < mostFound) found[count++] = id
}

/** Looks up `from + digit * power` for all digits but one, as far as the family has values there. */
const lookDigits = (family: Family, from: number, power: number, except: number) => {
  const least = Math.max(0, Math.ceil((family.least - from) / power))
  const most = Math.min(9, Math.floor((family.most - from) / power))
  for (let digit = least; digit <= most; digit++) if (digit !== except) look(family, from + digit * power)
}

/**
 * Looks up each value of the family's digits that differs by one damage from the digits before `end`, whose value is
 * `written`. Digits are read from the text, because the remainder of a division costs more than a look-up.
 */
const repairs = (family: Family, written: number, length: number, end: number) => {
  const { digits } = family
  for (let place = 0; place <= length; place++) {
    const power = powers[place]!
    const high = Math.floor(written / power)
    const low = written - high * power
    const own = place < length ? codes[end - 1 - place]! - zero : -1
    const next = place + 1 < length ? codes[end - 2 - place]! - zero : -1
    // A digit beside an equal one gives the same value at both places.
    if (digits === length + 1) lookDigits(family, high * 10 * power + low, power, own)
    else if (place < length) {
      if (digits === length - 1) {
        if (next !== own) look(family, ((high - own) / 10) * power + low)
      } else {
        lookDigits(family, written - own * power, power, own)
        if (next !== -1 && next !== own) look(family, written + (next - own) * power + (own - next) * power * 10)
      }
    }
  }
}

/** Makes the search over different keys with their ids. */
export const nearIn = (keys: ReadonlyArray<string>, ids: Int32Array) => {
  const members = new Map<string, Array<number>>()
  for (const [at, key] of keys.entries()) {
    const digits = key.length - digitsFrom(key)
    if (digits < leastDigits || digits > mostDigits) continue
    const name = `${digits} ${key.slice(0, -digits)}`
    const known = members.get(name)
    if (known === undefined) members.set(name, [at])
    else known.push(at)
  }
  /** Families by the first two characters of their keys. */
  const bySlot: Array<Array<Family> | undefined> = Array.from({ length: slots })
  for (const [name, known] of members) {
    const [text = "", prefix = ""] = name.split(" ")
    const digits = Number(text)
    const family = new Family(
      prefix,
      digits,
      known.map((at) => [Number(keys[at]!.slice(-digits)), ids[at]!])
    )
    const firsts = new Set(known.map((at) => slot(keys[at]!.charCodeAt(0), keys[at]!.charCodeAt(1))))
    for (const at of firsts) (bySlot[at] ??= []).push(family)
  }

  const search = (text: string) => {
    if (searchedKeys === keys && searchedText === text) return
    searchedKeys = keys
    searchedText = text
    const length = scan(text)
    count = 0
    let places = 0
    for (let start = 0; start < length - 1 && places < maxPlaces; start++) {
      const first = codes[start]!
      const families = bySlot[slot(first, codes[start + 1]!)]
      if (families === undefined) continue
      if (isDigit(first) && gaps[start] !== 1 && isDigit(codes[start - 1]!)) continue
      places++
      for (const family of families) searchAt(family, start, length)
    }
  }

  return (text: string, take: (id: number) => void): void => {
    search(text)
    for (let place = 0; place < count; place++) take(found[place]!)
  }
}

/** Looks for damaged numbers of the family at one place. */
const searchAt = (family: Family, start: number, length: number) => {
  const { digits, prefix } = family
  for (let at = 0; at < prefix.length; at++) if (codes[start + at] !== prefix.charCodeAt(at)) return
  const from = start + prefix.length
  let value = 0
  for (let read = 1; read <= digits + 1 && read <= mostDigits; read++) {
    const code = codes[from + read - 1]!
    if (from + read > length || !isDigit(code)) return
    value = value * 10 + code - zero
    if (read >= digits - 1 && mayEnd(from + read, length)) repairs(family, value, read, from + read)
  }
}
