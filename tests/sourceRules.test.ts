import { describe, expect, it } from "vitest"
import { join } from "node:path"
import { castsOff, foreignWrites, longLines, longestLine } from "#support/SourceRules.ts"
import { readSourceTree } from "#support/SourceTree.ts"

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

describe("late imports", () => {
  it("name modules of ours, because the bundle gives a CommonJS library that is imported late no named exports", () => {
    const found = readSourceTree(join(import.meta.dirname, "..")).filter(({ path }) =>
      /^(core|daemons|protocols)\//.test(path)
    )
    const late = found.flatMap(({ path, text }) =>
      Array.from(
        text.matchAll(/(?<!typeof )import\("(?![#.]|node:|effect)([^"]+)"\)/g),
        ([, name]) => `${path} ${name}`
      )
    )
    expect(late).toEqual([])
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

describe("writes of a table outside its own file", () => {
  it("do not exist in the whole tree, and the own file has some", () => {
    const files = readSourceTree(join(import.meta.dirname, ".."))
    expect(foreignWrites(files)).toEqual([])
    const renamed = files.map((file) => ({ ...file, path: file.path.replace("runs/Ledger.ts", "runs/Other.ts") }))
    expect(new Set(foreignWrites(renamed).map(({ file }) => file))).toEqual(
      new Set(["daemons/comm-dispatcher/runs/Other.ts"])
    )
    expect(foreignWrites(renamed).length).toBeGreaterThanOrEqual(4)
  })

  it.each([
    "insert into comm_dispatcher.run (id)",
    "update comm_dispatcher.run r set state = 'done'",
    "UPDATE only\n  comm_dispatcher.run set steps = '[]'",
    "delete\n from comm_dispatcher.run",
    "truncate comm_dispatcher.run"
  ])("are reported: %s", (text) => {
    expect(foreignWrites([{ path: "daemons/comm-dispatcher/alarms/A.ts", text: `\n${text}` }])).toEqual([
      expect.objectContaining({ file: "daemons/comm-dispatcher/alarms/A.ts", line: 2 })
    ])
    expect(foreignWrites([{ path: "tests/a.test.ts", text }])).toEqual([])
  })

  it.each([
    "select 1 from comm_dispatcher.run for update",
    "update comm_dispatcher.run_note set a = 1",
    "update comm_dispatcher.target set a = 1 from comm_dispatcher.run"
  ])("are not: %s", (text) => {
    expect(foreignWrites([{ path: "daemons/comm-dispatcher/alarms/A.ts", text }])).toEqual([])
  })
})
