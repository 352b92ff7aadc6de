/**
 * Finds invoice numbers in payment references, whatever the case, blanks and separators. One pass over the text: a
 * table of the first two characters of all numbers leaves few places where a number is looked up.
 */
import { compact, endsAt, isDigit, keyOf, maxText } from "./Compact.ts"
import type { OpenInvoice } from "./Model.ts"
import { nearIn, slot } from "./NearNumbers.ts"

/** Shortest key of a number that may begin within a word (`RechnungRE42001`). Unit: characters. */
const leastWithinWord = 6

/** Shortest key of digits only that counts without a word such as `invoice` before it. Unit: digits. */
const leastOfDigits = 9

/** How far before a number of digits the word may begin. Unit: characters without blanks and separators. */
const wordDistance = 16

/** Words that announce an invoice number. */
const announcing = /(?:RECHNUNG|RECHN|RNR|RGNR|RG|RE|INVOICE|INV|BELEG|NR|NO|NUMMER|NUMBER)[A-Z]{0,9}$/

/** Most places of one text. Reason: a reference has 140 characters; more numbers are a list of something else. */
export const maxFound = 32

/** Invoices that one place of a text may name: several where a blank can belong to the number or not. */
export interface Named {
  readonly invoices: ReadonlyArray<OpenInvoice>
  /** False: digits without any hint that they are an invoice number. */
  readonly isSure: boolean
}

export interface NumberIndex {
  /**
   * Invoices whose number the text has with one digit wrong, missing or added, or two digits swapped. Numbers that the
   * text has unchanged are not among them.
   */
  readonly near: (text: string) => ReadonlyArray<OpenInvoice>
  /** Places of the text that name invoices, from left to right. No invoice stands in two of them. */
  readonly find: (text: string) => ReadonlyArray<Named>
}

export const make = (invoices: Iterable<OpenInvoice>): NumberIndex => {
  const byKey = new Map<string, Array<OpenInvoice>>()
  /** Lengths of the keys by their first two characters, longest first. */
  const lengths: Array<Array<number> | undefined> = Array.from({ length: 43 * 43 })
  for (const invoice of invoices) {
    const key = keyOf(invoice.number)
    if (key.length < 2 || key.length > maxText) continue
    const same = byKey.get(key)
    if (same !== undefined) {
      same.push(invoice)
      continue
    }
    byKey.set(key, [invoice])
    const at = slot(key.charCodeAt(0), key.charCodeAt(1))
    const known = (lengths[at] ??= [])
    if (!known.includes(key.length)) {
      known.push(key.length)
      known.sort((left, right) => right - left)
    }
  }

  const find = (text: string): ReadonlyArray<Named> => {
    const whole = compact(text)
    const { gaps } = whole
    const letters = whole.text
    let found: Array<Named> | undefined
    let seen: Set<OpenInvoice> | undefined
    for (let start = 0; start < letters.length - 1; start++) {
      const first = letters.charCodeAt(start)
      const possible = lengths[slot(first, letters.charCodeAt(start + 1))]
      if (possible === undefined) continue
      const beginsWord = gaps[start] === 1 || isDigit(letters.charCodeAt(start - 1)) !== isDigit(first)
      if (!beginsWord && isDigit(first)) continue
      let named: Array<OpenInvoice> | undefined
      let isSure = true
      let longest = 0
      for (const length of possible) {
        if (!beginsWord && length < leastWithinWord) break
        const end = start + length
        if (end > letters.length || !endsAt(whole, end)) continue
        const key = letters.slice(start, end)
        const hits = byKey.get(key)
        if (hits === undefined) continue
        longest = Math.max(longest, length)
        for (const hit of hits) {
          if (seen?.has(hit) === true) continue
          ;(seen ??= new Set()).add(hit)
          ;(named ??= []).push(hit)
        }
        if (/^\d+$/.test(key))
          isSure &&= length >= leastOfDigits || announcing.test(letters.slice(Math.max(0, start - wordDistance), start))
      }
      if (named === undefined) continue
      ;(found ??= []).push({ invoices: named, isSure })
      if (found.length === maxFound) break
      start += longest - 1
    }
    return found ?? []
  }

  return { find, near: nearIn(byKey, lengths) }
}
