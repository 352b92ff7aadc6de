import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { plain } from "#protocols/mail-address/Plain.ts"

describe("a header without quoted strings and comments", () => {
  const cases: ReadonlyArray<readonly [string, string | undefined]> = [
    ["a@x", "a@x"],
    ['"A, B" <a@x>', "Q <a@x>"],
    ["a@x (one (two) three)", "a@x CC"],
    ['"(" <a@x> (")', "Q <a@x> C"],
    ['"a\\"b" <a@x>', "Q <a@x>"],
    ["(a\\)b) a@x", "C a@x"],
    ["a\\@x", "a\\@x"],
    ["a) b", "a) b"],
    ['"a', undefined],
    ['"a\\"', undefined],
    ["(a", undefined],
    ["(a (b)", undefined],
    ["(a\\)", undefined]
  ]
  it.each(cases)("%j", (header, expected) => {
    expect(plain(header, { quoted: "Q", comment: "C" })).toBe(expected)
    expect(plain(header)).toBe(expected?.replace(/[QC]/g, ""))
  })

  it("leaves what holds neither as it is, and nothing of what stands inside", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (outer, inner) => {
        const bare = outer.replace(/["()\\]/g, "")
        const hidden = inner.replace(/["()\\]/g, (char) => `\\${char}`)
        expect(plain(bare)).toBe(bare)
        expect(plain(`${bare}"${hidden}"(${hidden})${bare}`)).toBe(bare + bare)
      })
    )
  })
})
