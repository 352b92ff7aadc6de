/** Decisions of the pages of operations: lines of logs, scales, causes, forms of checks, and server-sent events. */
import { assert, describe, it } from "vitest"
import { groupsOf } from "../../../../console/pages/operations/alerts/Groups.ts"
import { minutesOf, minutesText } from "../../../../console/pages/operations/alerts/Minutes.ts"
import type { Alert } from "../../../../console/pages/operations/alerts/Words.ts"
import { axisOf, linesOf, piecesOf, spansOf } from "../../../../console/pages/operations/checks/ValueScale.ts"
import { appended, marked, matching } from "../../../../console/pages/operations/services/LogLines.ts"

const entry = (text: string) => ({ at: null, stream: "stdout" as const, level: null, text, cut: false })

describe("lines of a log", () => {
  it("keep their numbers, and the newest ones stay", () => {
    const first = appended([], ["a", "b", "c"].map(entry), 3)
    const next = appended(first, [entry("d")], 3)
    assert.deepStrictEqual(
      next.map(({ at, entry: { text } }) => [at, text]),
      [
        [1, "b"],
        [2, "c"],
        [3, "d"]
      ]
    )
  })

  it("are found without regard to case", () => {
    const lines = appended([], ["Disk FULL", "ok"].map(entry), 10)
    assert.deepStrictEqual(matching(lines, "full"), [lines[0]])
    assert.deepStrictEqual(matching(lines, ""), lines)
  })

  it("show where the text is", () => {
    assert.deepStrictEqual(marked("a disk, a Disk", "disk"), ["a ", "disk", ", a ", "Disk", ""])
    assert.deepStrictEqual(marked("nothing", ""), ["nothing"])
    // İ has two code units in lower case, so positions would not fit.
    assert.deepStrictEqual(marked("İx", "x"), ["İx"])
  })
})

describe("the chart of a check", () => {
  it("has round lines that hold all values", () => {
    assert.deepStrictEqual(linesOf(axisOf([12, 93])), [0, 50, 100])
    assert.deepStrictEqual(linesOf(axisOf([0])), [0, 1])
    assert.deepStrictEqual(linesOf(axisOf([-0.3, 0.2])), [-0.4, -0.2, 0, 0.2])
    for (const value of [1e-6, 3.7, 99, 1e12]) {
      const { bottom, step, top } = axisOf([value])
      assert.isTrue(bottom <= 0 && top >= value && (top - bottom) / step <= 5, String(value))
    }
  })

  it("breaks its line where there is no value, and joins equal states", () => {
    const points = [
      { at: 1, value: 5, state: "ok" },
      { at: 2, value: undefined, state: "unknown" },
      { at: 3, value: 6, state: "ok" },
      { at: 4, value: 7, state: "ok" }
    ]
    assert.deepStrictEqual(piecesOf(points), [
      [[1, 5]],
      [
        [3, 6],
        [4, 7]
      ]
    ])
    assert.deepStrictEqual(spansOf(points, 9), [
      { from: 1, to: 2, state: "ok" },
      { from: 2, to: 3, state: "unknown" },
      { from: 3, to: 9, state: "ok" }
    ])
  })
})

describe("open alerts", () => {
  it("form groups by cause, those with a critical one first", () => {
    const alert = (key: string, group: string, severity: "warning" | "critical", opened_at: string) =>
      ({ key, group, severity, opened_at }) as Alert
    const groups = groupsOf([
      alert("a", "disk", "warning", "2026-11-26T09:00:00Z"),
      alert("b", "host", "warning", "2026-11-26T08:00:00Z"),
      alert("c", "host", "critical", "2026-11-26T07:00:00Z")
    ])
    assert.deepStrictEqual(
      groups.map(({ alerts, name }) => [name, alerts.map(({ key }) => key).join()]),
      [
        ["host", "c,b"],
        ["disk", "a"]
      ]
    )
  })

  it("are repeated after minutes, written as a list", () => {
    assert.deepStrictEqual(minutesOf(" 60, 240;1440 "), [60, 240, 1440])
    assert.deepStrictEqual(minutesOf(""), [])
    assert.deepStrictEqual(minutesOf("60, soon"), [60, 0])
    assert.strictEqual(minutesText([60, 240]), "60, 240")
  })
})
