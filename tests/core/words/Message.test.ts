import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { fits, missingPlaceholders, readMessage, unknownPlaceholders } from "#core/words/Message.ts"

const problemOf = (text: string) => {
  const read = readMessage(text)
  return Result.isFailure(read) ? read.failure : undefined
}
const message = (text: string) => Result.getOrThrow(readMessage(text))
const unknown = (source: string, translation: string) => unknownPlaceholders(message(source), message(translation))

describe("readMessage", () => {
  it("accepts texts without braces, whatever they contain", () => {
    for (const text of ["It's 5 o'clock", "<script>alert(1)</script>", "# 1 &amp; 2", "50 % '", "", "a\nb"])
      assert.isUndefined(problemOf(text), text)
  })

  it("accepts placeholders, plurals and selections, and HTML beside them", () => {
    for (const text of [
      "Hello {name}",
      "{count, plural, =0 {none} one {# file} other {# files}}",
      "{place, selectordinal, one {#st} other {#th}}",
      "{who, select, anna {her} other {their}} <b>{n, number}</b> {at, date, short}",
      "'{'literal'}' {name}",
      "<b>{name}</i>"
    ])
      assert.isUndefined(problemOf(text), text)
  })

  it("names the fault and its place", () => {
    assert.strictEqual(problemOf("Hello {}"), "has empty braces, at character 7")
    assert.match(problemOf("Hello {name")!, /not closed/)
    assert.match(problemOf("{n, plural, one {a}}")!, /without other/)
    assert.match(problemOf("{n, colour}")!, /unknown type/)
    assert.match(problemOf("{n, plural, one {a} one {b} other {c}}")!, /twice/)
    // A closing brace alone is text.
    assert.isUndefined(problemOf("} closed"))
  })

  it("bounds hostile messages", () => {
    const nested = (depth: number): string => (depth === 0 ? "x" : `{n, select, a {${nested(depth - 1)}} other {b}}`)
    assert.isUndefined(problemOf(nested(4)))
    assert.match(problemOf(nested(5))!, /deeper than 4/)
    assert.match(problemOf("{a}".repeat(600))!, /more than 500 parts/)
    assert.isDefined(problemOf("{n,select,other{".repeat(300)))
    assert.isDefined(problemOf("{".repeat(5_000)))
  })
})

describe("the placeholders of a translation", () => {
  it("must exist in the source, and be used for the same kind of value", () => {
    assert.deepStrictEqual(unknown("Hello {name}", "Hallo {name}"), [])
    assert.deepStrictEqual(unknown("Hello {name}", "Hallo {nome} {x}"), ["nome", "x"])
    assert.deepStrictEqual(unknown("Hello {name}", "{name, plural, other {#}}"), ["name"])
    assert.deepStrictEqual(unknown("{n, number} files", "{n, plural, one {eine} other {# Dateien}}"), [])
    assert.deepStrictEqual(unknown("{n, plural, other {#}}", "{n} {n, number}"), [])
    assert.deepStrictEqual(unknown("{at, date}", "{at, time}"), ["at"])
    // An apostrophe before a brace quotes it, so the placeholder is text.
    assert.deepStrictEqual(missingPlaceholders(message("of {name}"), message("l'{name}")), ["name"])
    assert.deepStrictEqual(missingPlaceholders(message("of {name}"), message("l''{name}")), [])
  })

  it("decide whether an old translation can be shown", () => {
    assert.isTrue(fits("Hello {name}", "Hallo"))
    assert.isTrue(fits("Hello {name}", "Hallo {name}"))
    assert.isFalse(fits("Hello", "Hallo {name}"))
    assert.isFalse(fits("Hello", "Hallo {name"))
  })
})
