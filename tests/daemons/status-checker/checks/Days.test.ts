import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  dayLength,
  dayOf,
  fill,
  measured,
  noShare,
  oldestKept,
  plus,
  type Share,
  split,
  sum
} from "#daemons/status-checker/checks/Days.ts"
import { componentStatuses } from "#daemons/status-checker/status/Vocabulary.ts"

const at = (text: string) => Date.parse(text)
const moment = (wall: number, monotonic: number | null) => ({ wall, monotonic })

describe("how long a check is valid", () => {
  it.each([
    ["until the next", moment(0, 0), moment(10, 10), 10],
    ["no longer than it reaches", moment(0, 0), moment(500, 500), 15],
    ["whatever the wall clock says: put forward", moment(0, 0), moment(9_000_000, 10), 10],
    ["whatever the wall clock says: put back", moment(9_000_000, 0), moment(0, 10), 10],
    ["over a restart by the wall clock", moment(0, null), moment(10, 7), 10],
    ["over a restart no longer than it reaches", moment(0, null), moment(9_000_000, 7), 15],
    ["over a restart with the clock put back: not at all", moment(9_000_000, null), moment(0, 7), 0]
  ])("%s", (_what, from, to, expected) => {
    expect(measured(from, to, 15)).toBe(expected)
  })
})

describe("days", () => {
  it("end at midnight UTC, also at clock changes and in leap years", () => {
    expect(split(at("2026-03-29T00:30:00Z"), 2 * 3_600_000)).toEqual([{ day: "2026-03-29", length: 7_200_000 }])
    expect(split(at("2028-02-28T23:59:59.999Z"), 2)).toEqual([
      { day: "2028-02-28", length: 1 },
      { day: "2028-02-29", length: 1 }
    ])
    expect(split(at("2026-12-31T00:00:00Z"), dayLength)).toEqual([{ day: "2026-12-31", length: dayLength }])
    expect(split(at("2026-12-31T12:00:00Z"), 0)).toEqual([])
    expect(split(at("2026-12-30T23:00:00Z"), 2 * dayLength).map(({ day, length }) => [day, length])).toEqual([
      ["2026-12-30", 3_600_000],
      ["2026-12-31", dayLength],
      ["2027-01-01", dayLength - 3_600_000]
    ])
  })

  it("a split period loses nothing, repeats nothing, and has each part in its day", () => {
    const wall = fc.integer({ min: 0, max: 4_000_000_000_000 })
    fc.assert(
      fc.property(wall, fc.integer({ min: 0, max: 5 * dayLength }), (from, length) => {
        let next = from
        for (const part of split(from, length)) {
          expect(part.length).toBeGreaterThan(0)
          expect(dayOf(next)).toBe(part.day)
          expect(dayOf(next + part.length - 1)).toBe(part.day)
          next += part.length
        }
        expect(next).toBe(from + length)
      })
    )
  })

  it("are kept for ninety, including today", () => {
    expect(oldestKept(at("2026-03-31T23:59:59Z"), 90)).toBe("2026-01-01")
    expect(oldestKept(at("2026-03-31T00:00:00Z"), 1)).toBe("2026-03-31")
  })
})

describe("a day", () => {
  const share = fc
    .tuple(...componentStatuses.map(() => fc.integer({ min: 0, max: dayLength / 3 })))
    .map((lengths) => componentStatuses.reduce((all, status, index) => plus(all, status, lengths[index]!), noShare))

  it("has at most 24 hours, accepts time up to that, and never shrinks", () => {
    fc.assert(
      fc.property(fc.array(share, { maxLength: 8 }), (shares) => {
        let all: Share = noShare
        for (const added of shares) {
          const before = all
          all = fill(before, added)
          expect(sum(all)).toBe(Math.min(dayLength, sum(before) + sum(added)))
          for (const status of componentStatuses) {
            expect(all[status]).toBeGreaterThanOrEqual(before[status])
            expect(all[status]).toBeLessThanOrEqual(before[status] + added[status])
          }
        }
      })
    )
  })

  it("with more than 24 hours stays unchanged", () => {
    const full = plus(noShare, "operational", dayLength + 5)
    expect(fill(full, plus(noShare, "major_outage", 10))).toEqual(full)
  })
})
