import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type HysteresisState, next } from "#daemons/status-checker/checks/Hysteresis.ts"
import { type ComponentStatus, worse } from "#daemons/status-checker/status/Vocabulary.ts"

const limits = { failuresBeforeDown: 2, successesBeforeUp: 3 }
const shown = (found: ReadonlyArray<ComponentStatus>, given = limits): ReadonlyArray<ComponentStatus> => {
  let held: HysteresisState | undefined
  return found.map((status) => (held = next(held, status, given)).status)
}

const up = "operational"
const slow = "degraded_performance"
const part = "partial_outage"
const down = "major_outage"
const work = "under_maintenance"

describe("the shown status", () => {
  it.each([
    ["the first check is believed", [down], [down]],
    ["one failure is none", [up, down, up, down, up], [up, up, up, up, up]],
    ["the second in a row is", [up, down, down], [up, up, down]],
    ["two successes are none, three are", [down, up, up, down, up, up, up], [down, down, down, down, down, down, up]],
    ["worse of two kinds: what both bear out", [up, down, part], [up, up, part]],
    ["and then what two more bear out", [up, part, down, down, down], [up, up, part, part, down]],
    ["better of two kinds: what all bear out", [down, up, slow, up], [down, down, down, slow]],
    [
      "worse after better begins anew",
      [slow, up, up, down, up, down, down],
      [slow, slow, slow, slow, slow, slow, down]
    ],
    [
      "maintenance counts at once, and so does the first check after it",
      [up, work, down, down],
      [up, work, down, down]
    ],
    ["nothing of before maintenance counts after it", [up, down, work, up, down, up], [up, up, work, up, up, up]]
  ] as ReadonlyArray<readonly [string, ReadonlyArray<ComponentStatus>, ReadonlyArray<ComponentStatus>]>)(
    "%s",
    (_what, found, expected) => {
      expect(shown(found)).toEqual(expected)
    }
  )

  const measured = fc.constantFrom<ComponentStatus>(up, slow, part, down)
  const anyLimits = fc.record({
    failuresBeforeDown: fc.integer({ min: 1, max: 5 }),
    successesBeforeUp: fc.integer({ min: 1, max: 5 })
  })

  it("changes only as far as all recent checks agree", () => {
    fc.assert(
      fc.property(fc.array(measured, { minLength: 1, maxLength: 40 }), anyLimits, (found, given) => {
        const after = shown(found, given)
        for (const [at, status] of after.entries()) {
          const before = after[at - 1]
          if (before === undefined || before === status) continue
          const isWorse = worse(status, before) === status
          const last = found.slice(
            Math.max(0, at + 1 - (isWorse ? given.failuresBeforeDown : given.successesBeforeUp)),
            at + 1
          )
          expect(last).toHaveLength(isWorse ? given.failuresBeforeDown : given.successesBeforeUp)
          for (const one of last) expect(worse(one, status)).toBe(isWorse ? one : status)
        }
      })
    )
  })

  it("reaches a persisting result after the limit", () => {
    fc.assert(
      fc.property(fc.array(measured, { maxLength: 20 }), measured, anyLimits, (before, status, given) => {
        const often = Array.from(
          { length: 2 * Math.max(given.failuresBeforeDown, given.successesBeforeUp) },
          () => status
        )
        expect(shown([...before, ...often], given).at(-1)).toBe(status)
      })
    )
  })

  it("does not flap with flapping results", () => {
    fc.assert(
      fc.property(measured, measured, fc.integer({ min: 2, max: 5 }), (start, other, limit) => {
        const found = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? start : other))
        expect(new Set(shown(found, { failuresBeforeDown: limit, successesBeforeUp: limit }))).toEqual(new Set([start]))
      })
    )
  })

  it("equals each result with limits of one", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom<ComponentStatus>(up, slow, part, down, work), { maxLength: 30 }),
        (found) => {
          expect(shown(found, { failuresBeforeDown: 1, successesBeforeUp: 1 })).toEqual(found)
        }
      )
    )
  })
})
