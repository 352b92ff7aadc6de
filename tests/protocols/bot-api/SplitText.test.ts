import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { maxMessageLength, splitText } from "#protocols/bot-api/SplitText.ts"

describe("splitText", () => {
  it.each([
    ["short", 10, ["short"]],
    ["", 10, []],
    [" \n\t ", 10, []],
    ["0123456789", 10, ["0123456789"]],
    ["0123456789 next", 10, ["0123456789", "next"]],
    ["one two\nthree four", 12, ["one two", "three four"]],
    ["one two three", 9, ["one two", "three"]],
    ["a\n\n\nb", 2, ["a", "b"]],
    ["abcdefgh", 3, ["abc", "def", "gh"]],
    ["ab👍🏽cd", 4, ["ab", "👍🏽", "cd"]],
    ["aae\u0301x", 3, ["aa", "e\u0301x"]],
    ["a👍👍", 2, ["a", "👍", "👍"]],
    ["e" + "\u0301".repeat(6), 5, ["e" + "\u0301".repeat(4), "\u0301\u0301"]],
    ["👨\u200d👩\u200d👧x", 8, ["👨\u200d👩\u200d👧", "x"]]
  ])("%j at %i", (text, limit, expected) => assert.deepStrictEqual(splitText(text, limit), expected))

  it("loses nothing but white space, and makes no part the API refuses", () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.oneof(
            fc.constantFrom(" ", "\n", "👍🏽", "e\u0301"),
            fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 })
          ),
          maxLength: 60
        }),
        fc.integer({ min: 2, max: 20 }),
        (text, limit) => {
          const parts = splitText(text, limit)
          assert.strictEqual(parts.join("").replace(/\s/g, ""), text.replace(/\s/g, ""))
          for (const part of parts) assert(part.length <= limit && part.trim() !== "" && part.isWellFormed())
        }
      )
    )
  })

  it("is done quickly with a megabyte", () => {
    for (const piece of ["x", " ", "e\u0301", "\u0301", "a\n", "x ".repeat(3_000) + "y".repeat(5_000)]) {
      const started = performance.now()
      splitText(piece.repeat(Math.ceil(1_000_000 / piece.length)), maxMessageLength)
      assert.isBelow(performance.now() - started, 3_000)
    }
  })
})
