import { expect, it } from "vitest"
import { formatTimes, groupOf } from "./TestGroups.ts"

it.each([
  ["tests/daemons/identity/a/A.test.ts", "identity"],
  ["tests/core/http/App.test.ts", "core"],
  ["tests/lists.test.ts", "tests"]
])("%s belongs to %s", (path, group) => {
  expect(groupOf(path)).toBe(group)
})

it("sums wall time by group, the slowest first", () => {
  const file = (name: string, seconds: number) => ({ name: `/p/tests/${name}`, startTime: 0, endTime: seconds * 1000 })
  const report = JSON.stringify({
    testResults: [file("core/a.test.ts", 2), file("daemons/identity/a.test.ts", 4), file("core/b.test.ts", 10.5)]
  })
  expect(formatTimes(report, "/p")!.split("\n")).toEqual([
    "wall s  files  daemon or folder",
    "  12.5      2  core",
    "   4.0      1  identity"
  ])
  expect(formatTimes(undefined, "/p")).toBeUndefined()
  expect(formatTimes("{", "/p")).toBeUndefined()
})
