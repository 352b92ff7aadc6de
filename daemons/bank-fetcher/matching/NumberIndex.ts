/**
 * Finds invoice numbers in payment references, whatever the case, blanks and separators. One pass over the text: a
 * table of the first two characters of all numbers leaves few places where a number is looked up.
 */
import { isDigit, keyOf, maxText } from "./Compact.ts"
import * as KeyTable from "./KeyTable.ts"
import type { OpenInvoice } from "./Model.ts"
import { nearIn, slot, slots } from "./NearNumbers.ts"
import { codes, gaps, mayEnd, scan, textOf } from "./TextScan.ts"

/** Shortest key of a number that may begin within a word (`RechnungRE42001`). Unit: characters. */
const leastWithinWord = 6

/** Shortest key of digits only that counts without a word such as `invoice` before it. Unit: digits. */
const leastOfDigits = 9

/** How far before a number of digits the word may begin. Unit: characters without blanks and separators. */
const wordDistance = 16

/** Words that announce an invoice number. */
const announcing = /(?:RECHNUNG|RECHN|RNR|RGNR|RG|RE|INVOICE|INV|BELEG|NR|NO|NUMMER|NUMBER)[A-Z]{0,9}$/

/**
 * Maximum number of places of one text. Reason: a reference has 140 characters; more numbers are a list of something
 * else.
 */
export const maxFound = 32

/** Invoices that one place of a text may name: several where a blank can belong to the number or not. */
export interface Named {
  readonly invoices: ReadonlyArray<OpenInvoice>
  /** False: digits without any hint that they are an invoice number. */
  readonly isSure: boolean
}

export interface NumberIndex {
  /** Places of the text that name invoices, from left to right. No invoice stands in two of them. */
  readonly find: (text: string) => ReadonlyArray<Named>
  /**
   * Calls `take` with the positions of the invoices whose number the text has with one digit wrong, missing or added,
   * or two digits swapped. Numbers that the text has unchanged are not among them. An invoice may be taken twice.
   */
  readonly near: (text: string, take: (position: number) => void) => void
}

const nobody: ReadonlyArray<never> = []

/** True when the scanned text has only digits from `start` to `end`. */
const isOfDigits = (start: number, end: number): boolean => {
  for (let at = start; at < end; at++) if (!isDigit(codes[at]!)) return false
  return true
}

const isIn = (found: ReadonlyArray<Named>, invoice: OpenInvoice): boolean =>
  found.some(({ invoices }) => invoices.includes(invoice))

/** Builds the index, pausing after `turn` invoices. */
export function* building(invoices: Iterable<OpenInvoice>, turn: number): Generator<undefined, NumberIndex, undefined> {
  const all: Array<OpenInvoice> = []
  const positions = new Map<string, Array<number>>()
  /** Lengths of the keys by their first two characters, longest first. */
  const lengths: Array<Array<number> | undefined> = Array.from({ length: slots })
  for (const invoice of invoices) {
    const position = all.push(invoice) - 1
    if (position % turn === turn - 1) yield
    const key = keyOf(invoice.number)
    if (key.length < 2 || key.length > maxText) continue
    const same = positions.get(key)
    if (same !== undefined) {
      same.push(position)
      continue
    }
    positions.set(key, [position])
    const at = slot(key.charCodeAt(0), key.charCodeAt(1))
    const known = (lengths[at] ??= [])
    if (!known.includes(key.length)) {
      known.push(key.length)
      known.sort((left, right) => right - left)
    }
  }
  const keys = [...positions.keys()]
  const positionsOf = [...positions.values()]
  const ids = KeyTable.idsOf(positionsOf)
  yield
  const table = KeyTable.make(keys, ids)
  yield
  const searchNear = nearIn(keys, ids)

  const find = (text: string): ReadonlyArray<Named> => {
    const length = scan(text)
    let found: Array<Named> | undefined
    for (let start = 0; start < length - 1; start++) {
      const first = codes[start]!
      const possible = lengths[slot(first, codes[start + 1]!)]
      if (possible === undefined) continue
      const beginsWord = gaps[start] === 1 || isDigit(codes[start - 1]!) !== isDigit(first)
      if (!beginsWord && isDigit(first)) continue
      let named: ReadonlyArray<OpenInvoice> | undefined
      let isSure = true
      let longest = 0
      for (const size of possible) {
        if (!beginsWord && size < leastWithinWord) break
        const end = start + size
        if (end > length || !mayEnd(end, length)) continue
        const id = table.find(start, end)
        if (id === KeyTable.noId) continue
        longest = Math.max(longest, size)
        if (isDigit(first) && isOfDigits(start, end))
          isSure &&= size >= leastOfDigits || announcing.test(textOf(Math.max(0, start - wordDistance), start))
        const hits = id >= 0 ? [all[id]!] : KeyTable.numbersOf(id, positionsOf).map((position) => all[position]!)
        const fresh = found === undefined ? hits : hits.filter((hit) => !isIn(found!, hit))
        if (fresh.length > 0) named = named === undefined ? fresh : [...named, ...fresh]
      }
      if (named === undefined) continue
      const place = { invoices: named, isSure }
      if (found === undefined) found = [place]
      else found.push(place)
      if (found.length === maxFound) break
      start += longest - 1
    }
    return found ?? nobody
  }

  return {
    find,
    near: (text, take) =>
      searchNear(text, (id) => {
        if (id >= 0) take(id)
        else for (const each of KeyTable.numbersOf(id, positionsOf)) take(each)
      })
  }
}

/** Builds the index at once. */
export const make = (invoices: Iterable<OpenInvoice>): NumberIndex => {
  const steps = building(invoices, Infinity)
  while (true) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
