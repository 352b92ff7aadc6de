import { describe, expect, it } from "vitest"
import { castsOff, longLines, longestLine } from "#support/SourceRules.ts"

const long = "x".repeat(longestLine + 1)

describe("long lines", () => {
  it.each([
    ["protocols/a/A.ts", `const a = "${long}"`],
    ["tests/a.test.ts", `  // ${long}`],
    ["tests/a.test.ts", ` * ${long}`]
  ])("are reported in %s: %s", (path, text) => {
    expect(longLines([{ path, text: `\n${text}` }])).toEqual([expect.objectContaining({ file: path, line: 2 })])
  })

  it("may stand in a text of a test", () => {
    expect(longLines([{ path: "tests/a.test.ts", text: `const a = "${long}"` }])).toEqual([])
  })

  it("counts characters, not bytes", () => {
    expect(longLines([{ path: "core/A.ts", text: "ü".repeat(longestLine) }])).toEqual([])
  })
})

describe("casts that switch types off", () => {
  it.each(["f(x as never)", "f(x as any)", "f(x as unknown as never)"])("%s is reported", (text) => {
    expect(castsOff([{ path: "core/A.ts", text }])).toHaveLength(1)
    expect(castsOff([{ path: "tests/a.test.ts", text }])).toEqual([])
  })

  it("sees neither comments nor other casts", () => {
    expect(
      castsOff([{ path: "daemons/a/A.ts", text: "// as any\n/** as likely as any */\n * as never\nf(x as string)" }])
    ).toEqual([])
  })
})
