import { expect, it } from "vitest"
import { differences, readState } from "./ProcessState.ts"
import { nearLimits } from "./NearLimits.ts"
import { addRun, firstError, formatResults, readOptions } from "./RepeatResults.ts"
import { choosingNothing, readArguments } from "./TestArguments.ts"

it.each([
  ["", { profile: undefined, changed: undefined, needsPeers: true, rest: [] }],
  ["--profile a -t b", { profile: "", needsPeers: true, rest: ["a", "-t", "b"] }],
  ["--profile=x.json", { profile: "x.json", rest: [] }],
  ["--changed main", { changed: "main", rest: [] }],
  ["--changed tests/core", { changed: "", rest: ["tests/core"] }],
  ["--project unit", { needsPeers: false, rest: ["--project", "unit"] }],
  ["--project=unit --project parts", { needsPeers: true }]
])("npm test -- %s", (line, expected) => {
  expect(readArguments(line.split(" ").filter(Boolean), (word) => word === "main")).toMatchObject(expected)
})

it("names paths that choose no test file", () => {
  const files = ["/there/tests/core/a.test.ts"]
  const absent = (line: string) => choosingNothing(line.split(" "), files)
  expect(absent("tests/core ./tests/core/a.test.ts /there/tests/core/a.test.ts:12 -t b")).toEqual([])
  expect(absent("--retry=0 tests/cor core/b")).toEqual(["core/b"])
})

it("finds what a test leaves behind", () => {
  const before = readState()
  const listener = () => undefined
  const { setTimeout: original } = globalThis
  process.env["SIGNALBOX_LEFT_BEHIND"] = "1"
  process.on("SIGUSR2", listener)
  const timer = setInterval(listener, 60_000)
  globalThis.setTimeout = Object.assign(() => timer, original) as typeof original
  const found = differences(before, readState())
  globalThis.setTimeout = original
  clearInterval(timer)
  process.off("SIGUSR2", listener)
  delete process.env["SIGNALBOX_LEFT_BEHIND"]
  expect(found).toEqual(
    expect.arrayContaining([
      "variable SIGNALBOX_LEFT_BEHIND",
      "listener of process event SIGUSR2",
      "setInterval",
      "global setTimeout"
    ])
  )
  expect(differences(before, readState())).toEqual([])
})

it("counts failures per hundred runs", () => {
  const runs = [undefined, "a: late", undefined, undefined].reduce((all, error) => addRun(all, "a.test.ts", error), {})
  const both = addRun(runs, "b.test.ts (load)", undefined)
  expect(formatResults(both).split("\n")).toEqual([
    "per 100  failures  runs  file",
    "   25.0         1     4  a.test.ts",
    "    0.0         0     1  b.test.ts (load)",
    "a.test.ts: a: late"
  ])
})

it.each([
  ["a --times 3 --load", { files: ["a"], times: 3, workers: 1, load: true, resume: false }],
  ["a b --resume --workers 2", { files: ["a", "b"], times: 10, workers: 2, load: false, resume: true }],
  ["", "name at least one test file"],
  ["a --times x", "--times needs a whole number from 1"],
  ["a --workers 0", "--workers needs a whole number from 1"],
  ["a --time 3", "unknown option --time"]
])("test:repeat -- %s", (line, expected) => {
  expect(readOptions(line.split(" ").filter(Boolean))).toEqual(expected)
})

it("names the first error of a run", () => {
  const test = { status: "failed", fullName: "opens", failureMessages: ["Error: shut\n at x"] }
  expect(firstError(JSON.stringify({ testResults: [{ assertionResults: [test] }] }), 1)).toBe("opens: Error: shut")
  expect(firstError(JSON.stringify({ testResults: [{ message: "no parse", assertionResults: [] }] }), 1)).toBe(
    "no parse"
  )
  expect(firstError(undefined, 134)).toBe("exit code 134 and no report")
  expect(firstError(undefined, 0)).toBeUndefined()
})

it("lists the tests that are near their time limits, the nearest first", () => {
  const file = "tests/a.test.ts"
  expect(
    nearLimits([
      { file, name: "half", took: 30_000, limit: 60_000 },
      { file, name: "quick", took: 3_000, limit: 20_000 },
      { file, name: "almost", took: 19_000, limit: 20_000 },
      { file, name: "without limit", took: 90_000, limit: 0 }
    ])
  ).toBe(
    [
      "took s  limit s  test near its time limit",
      "  19.0     20.0  tests/a.test.ts > almost",
      "  30.0     60.0  tests/a.test.ts > half"
    ].join("\n")
  )
  expect(nearLimits([{ file, name: "quick", took: 1, limit: 20_000 }])).toBe(undefined)
})
