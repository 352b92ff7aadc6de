import { assert, describe, it } from "vitest"
import { isRangeName, rangeNames, rangeOf } from "../../../console/parts/Ranges.ts"

const at = Date.parse("2026-03-01T12:34:56.789Z")

describe("Ranges", () => {
  it("ends behind now, at a whole step, and begins a whole number of steps before", () => {
    assert.deepStrictEqual(rangeOf("hour", at), {
      since: "2026-03-01T11:35:00.000Z",
      until: "2026-03-01T12:35:00.000Z",
      buckets: 60
    })
    assert.deepStrictEqual(rangeOf("day", at), {
      since: "2026-02-28T13:00:00.000Z",
      until: "2026-03-01T13:00:00.000Z",
      buckets: 48
    })
  })

  it("keeps its cuts while the clock goes on within a step", () => {
    for (const name of rangeNames) {
      const whole = Date.parse(rangeOf(name, at).until)
      assert.deepStrictEqual(rangeOf(name, whole - 1), rangeOf(name, at))
      assert.isAbove(Date.parse(rangeOf(name, whole).until), whole)
    }
  })

  it("knows its names", () => {
    assert.deepStrictEqual([isRangeName("week"), isRangeName("custom"), isRangeName("")], [true, false, false])
  })
})
