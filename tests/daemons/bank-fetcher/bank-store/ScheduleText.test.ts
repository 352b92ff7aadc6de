import { Result } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  latestFiring,
  nextFiring,
  parseSchedule,
  scheduleProblem
} from "#daemons/bank-fetcher/bank-store/ScheduleText.ts"

const schedule = (text: string) => Result.getOrThrow(parseSchedule(text))
const at = (text: string) => Date.parse(text)
const iso = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString())

describe("the text of a schedule", () => {
  it.each([
    ["0 8 * * *", "2026-11-26T07:59:59Z", "2026-11-25T08:00:00.000Z", "2026-11-26T08:00:00.000Z"],
    ["0 8 * * *", "2026-11-26T08:00:00Z", "2026-11-26T08:00:00.000Z", "2026-11-27T08:00:00.000Z"],
    ["0 7-20 * * *", "2026-11-26T23:10:00Z", "2026-11-26T20:00:00.000Z", "2026-11-27T07:00:00.000Z"],
    ["*/15 9 * * 1-5", "2026-11-28T12:00:00Z", "2026-11-27T09:45:00.000Z", "2026-11-30T09:00:00.000Z"],
    ["30 6 1 * *", "2026-12-31T23:59:00Z", "2026-12-01T06:30:00.000Z", "2027-01-01T06:30:00.000Z"],
    ["0 0 29 2 *", "2027-03-01T00:00:00Z", "2024-02-29T00:00:00.000Z", "2028-02-29T00:00:00.000Z"],
    ["0 8 * * 7", "2026-11-26T00:00:00Z", "2026-11-22T08:00:00.000Z", "2026-11-29T08:00:00.000Z"],
    ["0 8 * jan,jul mon", "2026-11-26T00:00:00Z", "2026-07-27T08:00:00.000Z", "2027-01-04T08:00:00.000Z"]
  ])("%s fires around %s", (text, now, latest, next) => {
    expect([iso(latestFiring(schedule(text), at(now))), iso(nextFiring(schedule(text), at(now)))]).toEqual([
      latest,
      next
    ])
  })

  it("off never fires", () => {
    expect([latestFiring(schedule("off"), at("2026-11-26")), nextFiring(schedule(" off "), 0)]).toEqual([
      undefined,
      undefined
    ])
  })

  it.each([
    ["", /five fields/],
    ["@daily", /five fields/],
    ["0 0 8 * * *", /five fields/],
    ["61 8 * * *", /field minute/],
    ["0 24 * * *", /field hour/],
    ["0 8 L * *", /not supported/],
    ["0 8 * * 5#2", /not supported/],
    ["0 8 31 2 *", /field dayOfMonth/],
    ["0 8 29 2 1", /eight years/],
    ["* * * * *", /15 minutes/],
    ["0,14 8 * * *", /15 minutes/],
    ["50 23 * * *\n", undefined],
    ["0,50 0,23 * * *", /15 minutes/],
    ["x".repeat(201), /200 characters/]
  ])("%j is judged in words", (text, problem) => {
    const found = scheduleProblem(text)
    if (problem === undefined) expect(found).toBeUndefined()
    else expect(found).toMatch(problem)
  })

  it("fires at its minutes, and never skips one between two firings", () => {
    const field = (max: number, from = 0) =>
      fc.uniqueArray(fc.integer({ min: from, max }), { minLength: 1, maxLength: 3 }).map((values) => values.join(","))
    fc.assert(
      fc.property(
        fc.tuple(field(59), field(23), fc.oneof(fc.constant("*"), field(28, 1)), fc.constant("*"), fc.constant("*")),
        fc.integer({ min: at("2020-01-01"), max: at("2030-01-01") }),
        (fields, now) => {
          const parsed = parseSchedule(fields.join(" "))
          if (Result.isFailure(parsed)) return
          const next = nextFiring(parsed.success, now)!
          expect(next).toBeGreaterThan(now)
          expect(fields[0].split(",").map(Number)).toContain(new Date(next).getUTCMinutes())
          expect(fields[1].split(",").map(Number)).toContain(new Date(next).getUTCHours())
          // The latest firing just before the next one is the latest firing of now.
          expect(latestFiring(parsed.success, next - 1)).toBe(latestFiring(parsed.success, now))
          expect(latestFiring(parsed.success, next)).toBe(next)
        }
      ),
      { numRuns: 100 }
    )
  })
})
