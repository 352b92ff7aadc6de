/** Damaged copies of files, as transmission and attackers leave them. Repeatable by the seed of `random`. */
import type { Random } from "../Random.ts"

/** Pieces that parsers may trip over. */
const pieces: ReadonlyArray<string> = [
  "<",
  ">",
  "&",
  "&amp;",
  "&#0;",
  "&#xD800;",
  "<!--",
  "]]>",
  "<![CDATA[",
  "<?xml version='1.0'?>",
  "<!DOCTYPE x>",
  '<Amt Ccy="JPY">',
  "</Ntry>",
  "</Stmt><Stmt>",
  "\0",
  "\r\n:61:",
  "\r\n:86:",
  "\r\n-\r\n",
  ":20:",
  "?20",
  "9".repeat(40),
  "-1",
  "1e9",
  "0,",
  "2026-02-30",
  "PK\u0003\u0004",
  "\u00ff\u00fe"
]

/** Maximum number of changes of one copy. */
const maxChanges = 6

/** A copy with one to six changes. */
export const mutated = (file: Buffer, random: Random): Buffer => {
  const at = (length: number) => Math.floor(random.next() * length)
  const pick = <A>(items: ReadonlyArray<A>): A => items[at(items.length)]!
  let copy = Buffer.from(file)
  for (let changes = 1 + at(maxChanges); changes > 0; changes--) {
    const from = at(copy.length + 1)
    const to = Math.min(copy.length, from + at(random.next() < 0.2 ? 400 : 12))
    const [head, middle, tail] = [copy.subarray(0, from), copy.subarray(from, to), copy.subarray(to)]
    switch (at(7)) {
      case 0:
        if (from < copy.length) copy[from] = at(256)
        break
      case 1:
        copy = Buffer.concat([head, tail])
        break
      case 2:
        copy = Buffer.concat([head, middle, middle, tail])
        break
      case 3:
        copy = Buffer.concat([head, Buffer.from(pick(pieces), "latin1"), tail])
        break
      case 4:
        copy = Buffer.concat([tail, middle, head])
        break
      case 5:
        copy = Buffer.from(head)
        break
      default:
        // A digit more or less, which damages lengths, dates and amounts.
        if (from < copy.length && copy[from]! >= 48 && copy[from]! <= 57) copy[from] = 48 + at(10)
    }
  }
  return copy
}
