import { type Line, Lines } from "#protocols/imap-watch/Lines.ts"
import { ValueCursor } from "#protocols/imap-watch/ValueCursor.ts"
import { isList, isNil, readValues, type Value, wordOf } from "#protocols/imap-watch/Values.ts"
import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"

const deepest = 4

/** Values of a line, read one by one. */
const values = (cursor: ValueCursor): ReadonlyArray<unknown> => {
  const found: Array<unknown> = []
  while (cursor.more) {
    if (!cursor.atList) found.push(cursor.word())
    else if (cursor.enter()) {
      found.push(values(cursor))
      cursor.leave()
    }
  }
  return found
}

const words = (value: Value): unknown => (isList(value) ? value.map(words) : wordOf(value))

const atom = fc.constantFrom("a", "NIL", "nil", "\\Seen", "BODY[]<0>", "42")
const string = fc.constantFrom(`""`, `")"`, `"("`, `"a b"`, `"(\\"\\\\)"`, `"NIL"`, "{0}\r\n", '{5}\r\n("\r\n)')
const { value } = fc.letrec<{ value: string; list: string }>((tie) => ({
  value: fc.oneof({ maxDepth: 6 }, atom, string, tie("list")),
  list: fc.array(tie("value"), { maxLength: 4 }).map((inner) => `(${inner.join(" ")})`)
}))
/** Mostly well-formed text, sometimes with one added character. */
const text = fc
  .tuple(fc.array(value, { maxLength: 4 }), fc.option(fc.tuple(fc.nat(), fc.constantFrom("(", ")", `"`, `"\\x"`, ""))))
  .map(([parts, damage]) => {
    const whole = parts.join(" ")
    if (damage === null) return whole
    const at = damage[0] % (whole.length + 1)
    return whole.slice(0, at) + damage[1] + whole.slice(at + 1)
  })
const lineOf = (text: string): Line | undefined => new Lines().push(Buffer.from(`* ${text}\r\n`)).lines[0]

describe("values read one after the other", () => {
  it("are those of the whole line, and so is what is wrong with it", () => {
    fc.assert(
      fc.property(text, (text) => {
        const line = lineOf(text)
        if (line === undefined) return
        const all = readValues(line, 2, deepest)
        const cursor = new ValueCursor(line, 2, deepest)
        const found = values(cursor)
        expect(cursor.end()).toBe(Result.isFailure(all) ? all.failure : undefined)
        if (Result.isSuccess(all)) expect(found).toEqual(all.success.map(words))
      }),
      { numRuns: 2_000 }
    )
  })

  it("go past an atom that is expected, in capitals or small, and only past the whole of it", () => {
    for (const [text, past] of [
      ["UID 7", true],
      ["uid 7", true],
      ["UiD(7)", true],
      ["UIDS 7", false],
      ["UI 7", false],
      ['"UID" 7', false],
      ["u9d 7", false]
    ] as const) {
      const cursor = new ValueCursor([text], 0, deepest)
      expect([text, cursor.goPast("UID")]).toEqual([text, past])
      if (past) expect([cursor.more, cursor.end()]).toEqual([true, undefined])
    }
    const dotted = new ValueCursor(["rfc822.size 7"], 0, deepest)
    expect([dotted.goPast("RFC822.SIZE"), dotted.number()]).toEqual([true, 7])
    expect(new ValueCursor(["RFC822NSIZE 7"], 0, deepest).goPast("RFC822.SIZE")).toBe(false)
  })

  it("are numbers of at most 15 digits or none, and are passed either way", () => {
    const line = lineOf('0 42 999999999999999 1000000000000000 7a "7" (7) NIL {1}\r\n7 8')!
    const cursor = new ValueCursor(line, 2, deepest)
    const found = Array.from({ length: 10 }, () => cursor.number())
    expect(found).toEqual([
      0,
      42,
      999_999_999_999_999,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      8
    ])
    expect([cursor.number(), cursor.end()]).toEqual([undefined, undefined])
  })

  it("know NIL from a word that begins so, and from a string", () => {
    for (const [text, nil] of [
      ["NIL", true],
      ["nil x", true],
      ["(NIL)", false],
      ["NILS", false],
      ["NI", false],
      ['"NIL"', false]
    ] as const) {
      const cursor = new ValueCursor([text], 0, deepest)
      expect([text, cursor.atNil]).toEqual([text, nil])
    }
  })

  it("are the same behind others that are passed over", () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 3 }), value, (before, last) => {
        const line = lineOf([`(${before.join(" ")})`, ...before, last].join(" "))!
        const all = readValues(line, 2, deepest + 3)
        if (Result.isFailure(all)) return
        const cursor = new ValueCursor(line, 2, deepest + 3)
        expect(cursor.enter()).toBe(true)
        cursor.leave()
        for (const _ of before) cursor.skip()
        const wanted = all.success.at(-1)!
        expect(cursor.atList).toBe(isList(wanted))
        const found = isList(wanted) ? values(cursor)[0] : cursor.text()
        expect(found).toEqual(isNil(wanted) ? undefined : words(wanted))
        expect([cursor.more, cursor.text(), cursor.enter(), cursor.end()]).toEqual([false, undefined, false, undefined])
      }),
      { numRuns: 1_000 }
    )
  })

  it("are as deep as may be, also where they are passed over", () => {
    const cursor = (lists: number) => new ValueCursor(lineOf(`${"(".repeat(lists)}x${")".repeat(lists)}`)!, 2, deepest)
    expect([cursor(deepest).end(), cursor(deepest + 1).end()]).toEqual([undefined, "lists too deep"])
  })

  it("are atoms, or not", () => {
    const cursor = new ValueCursor(lineOf(`7 "7" {1}\r\n7 (7) NIL "NIL" x`)!, 2, deepest)
    expect([
      cursor.atom(),
      cursor.atom(),
      cursor.atom(),
      cursor.atom(),
      cursor.text(),
      cursor.text(),
      cursor.word()
    ]).toEqual(["7", undefined, undefined, undefined, undefined, "NIL", "x"])
  })
})
