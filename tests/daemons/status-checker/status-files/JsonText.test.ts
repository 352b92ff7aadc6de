import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import fc from "fast-check"
import { fault, maxDepth } from "#daemons/status-checker/status-files/JsonScan.ts"
import { parse } from "#daemons/status-checker/status-files/JsonText.ts"

const bytes = (text: string) => Buffer.from(text)
const problem = (input: Uint8Array) =>
  Result.match(parse(input), { onFailure: (text) => text, onSuccess: () => undefined })

const parses = (text: string) => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe("the scan", () => {
  it("accepts the output of JSON.stringify", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom("", "  ", "\t", "\r\n"), (value, space) => {
        expect(fault(JSON.stringify(value, null, space))).toBeUndefined()
      })
    )
  })

  it("agrees with JSON.parse on damaged texts, except for duplicate names", () => {
    const damaged = fc.tuple(
      fc.jsonValue({ maxDepth: 4 }),
      fc.nat(),
      fc.nat(3),
      fc.constantFrom(
        "",
        ",",
        '"',
        "}",
        "]",
        "{",
        "[",
        ":",
        "\\",
        "\\u12",
        "1",
        "-",
        "e",
        ".",
        "\n",
        "\u0001",
        "x",
        "tru"
      )
    )
    fc.assert(
      fc.property(damaged, ([value, seed, cut, put]) => {
        const text = JSON.stringify(value)
        const at = seed % (text.length + 1)
        const other = text.slice(0, at) + put + text.slice(at + cut)
        const found = fault(other)
        if (found?.what.includes("twice") === true) return
        expect({ other, fault: found !== undefined }).toEqual({ other, fault: !parses(other) })
      }),
      { numRuns: 3_000 }
    )
  })

  it("refuses a duplicate name in one object, also with escapes, but not in two objects", () => {
    expect(fault('{"a": 1, "\\u0061": 2}')).toEqual({ offset: 9, what: 'has "a" twice in one object' })
    expect(fault('[{"a": 1}, {"a": {"a": 1}}]')).toBeUndefined()
    expect(fault('{"__proto__": 1, "__proto__": 2}')?.what).toContain("twice")
  })

  it("accepts nesting up to the limit, and refuses a million levels", () => {
    const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels)
    expect(fault(nested(maxDepth))).toBeUndefined()
    expect(fault(nested(maxDepth + 1))?.what).toBe(`is nested deeper than ${maxDepth} levels`)
    expect(fault('{"a":'.repeat(1_000_000))?.what).toBe(`is nested deeper than ${maxDepth} levels`)
    expect(fault(`["${"\\n".repeat(1_000_000)}"]`)).toBeUndefined()
  })
})

describe("the text of a file", () => {
  it("names the position of an error without the content", () => {
    expect(problem(bytes('{\n  "services": [\n    { "id": "a" "password": "geheim" }\n  ]\n}'))).toBe(
      "is not valid JSON: it lacks a comma or }; look at line 3, column 17"
    )
    expect(problem(bytes("[1, 2"))).toBe("is not valid JSON: it ends too early; look at line 1, column 6")
    expect(problem(bytes("[]\r\n[]"))).toBe("is not valid JSON: it continues after its end; look at line 2, column 1")
    for (const text of ["[NaN]", "[Infinity]", "{id: 1}", "['a']", "[1,]", "// none\n[]"])
      expect(problem(bytes(text))).toMatch(/^is not valid JSON/)
  })

  it("accepts a byte order mark and CRLF, and names unsupported encodings", () => {
    expect(parse(bytes("\ufeff[1,\r\n2]\r\n"))).toEqual(Result.succeed([1, 2]))
    const utf16 = "is written in UTF-16: save it as UTF-8"
    expect(problem(Buffer.from("\ufeff[]", "utf16le"))).toBe(utf16)
    expect(problem(Buffer.from("\ufeff[]", "utf16le").swap16())).toBe(utf16)
    expect(problem(Buffer.from("[]", "utf16le"))).toBe(utf16)
    expect(problem(Buffer.from("[]", "utf16le").swap16())).toBe(utf16)
    expect(problem(Buffer.from('["Störung"]', "latin1"))).toBe("is not written in UTF-8: save it as UTF-8")
  })

  it("tells for an empty file what to write", () => {
    for (const text of ["", " \r\n", "\ufeff"]) expect(problem(bytes(text))).toBe("is empty: write at least []")
  })
})
