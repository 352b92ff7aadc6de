import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import fc from "fast-check"
import { dayLength, noShare, sum } from "#daemons/status-checker/checks/Days.ts"
import { fit } from "#daemons/status-checker/imports/DayFit.ts"
import { decodeUptime, maxUptimeDays } from "#daemons/status-checker/imports/UptimeFile.ts"
import { componentStatuses } from "#daemons/status-checker/status/Vocabulary.ts"

const today = "2026-03-31"
const taken = (json: unknown) => Result.getOrThrow(decodeUptime(json, today))
const problem = (json: unknown) =>
  Result.match(decodeUptime(json, today), { onFailure: (text) => text, onSuccess: () => undefined })
const share = (value: unknown) => {
  const [day] = taken({ mail: { [today]: value } }).days
  return (
    day &&
    Object.fromEntries(componentStatuses.filter((status) => day[status] > 0).map((status) => [status, day[status]]))
  )
}

describe("UPTIME_FILE", () => {
  it("gives a day as percent, counts, a status or milliseconds", () => {
    expect(share(100)).toEqual({ operational: dayLength })
    expect(share(99.5)).toEqual({ operational: 0.995 * dayLength, major_outage: 0.005 * dayLength })
    expect(share(0)).toEqual({ major_outage: dayLength })
    expect(share({ up: 287, total: 288 })).toEqual({ operational: dayLength - 300_000, major_outage: 300_000 })
    expect(share("degraded_performance")).toEqual({ degraded_performance: dayLength })
    expect(share({ operational: 3_600_000, under_maintenance: 60_000.7 })).toEqual({
      operational: 3_600_000,
      under_maintenance: 60_000
    })
  })

  it("has the same meaning as a list", () => {
    const days = taken({
      mail: { "2026-03-30": 99, "2026-03-31": { up: 1, total: 2 } },
      web: { "2026-03-31": "operational" }
    })
    expect(
      taken([
        { component_id: "mail", date: "2026-03-30", uptime: 99 },
        { id: "mail", date: "2026-03-31", uptime: { up: 1, total: 2 }, source: "old" },
        { id: "web", date: "2026-03-31", status: "operational" }
      ])
    ).toEqual(days)
    expect(days.days).toHaveLength(3)
  })

  it("skips and counts days before the 90 days, in the future or without measurement", () => {
    const days = {
      "2025-12-31": 100,
      "2026-01-01": 100,
      "2026-03-31": 100,
      "2026-04-01": 100,
      "2026-02-01": null,
      "2026-02-02": { up: 0, total: 0 },
      "2026-02-03": { operational: 0 }
    }
    expect(taken({ mail: days })).toMatchObject({
      days: [{ day: "2026-01-01" }, { day: "2026-03-31" }],
      old: 1,
      future: 1,
      unmeasured: 3
    })
  })

  it("names the position of an error", () => {
    const wrong: ReadonlyArray<readonly [unknown, string]> = [
      [3, "must be an object of component ids"],
      ["x", "must be an object of component ids"],
      [null, "must be an object of component ids"],
      [{ "a b": {} }, '["a b"]: this key must be a component\'s id'],
      [JSON.parse('{"__proto__": {"2026-03-01": 1}}'), "__proto__: this key must be a component's id"],
      [{ "a\u0000": {} }, '["a\\u0000"]: this key must be a component\'s id'],
      [{ mail: [] }, "mail must be an object { } of days"],
      [{ mail: { "2026-02-30": 1 } }, 'mail["2026-02-30"]: this key must be a calendar day'],
      [{ mail: { yesterday: 1 } }, "mail.yesterday: this key must be a calendar day"],
      [{ mail: { [today]: 100.1 } }, 'mail["2026-03-31"] must be percent, a number from 0 to 100'],
      [{ mail: { [today]: -1 } }, "must be percent"],
      [{ mail: { [today]: Number.NaN } }, "must be percent"],
      [{ mail: { [today]: JSON.parse("1e999") } }, "must be percent"],
      [{ mail: { [today]: "99.5" } }, "must be one of operational"],
      [{ mail: { [today]: "toString" } }, "must be one of operational"],
      [{ mail: { [today]: {} } }, 'must be percent, {"up"'],
      [{ mail: { [today]: { up: 2, total: 1 } } }, "must have up and total"],
      [{ mail: { [today]: { up: 1 } } }, "must have up and total"],
      [{ mail: { [today]: { up: -1, total: 1 } } }, "must have up and total"],
      [{ mail: { [today]: { operational: 1, constructor: 1 } } }, "constructor is not a status"],
      [{ mail: { [today]: { operational: -1 } } }, "operational must be milliseconds"],
      [
        { mail: { [today]: { operational: dayLength, major_outage: 1 } } },
        "exceeds the 86400000 milliseconds of a day"
      ],
      [[null], "[0] must be an object"],
      [[{ id: "a", date: today }], "[0] has neither uptime nor status"],
      [[{ id: 3, date: today, uptime: 1 }], "[0].component_id must be a component's id"],
      [[{ id: "a", date: "31.03.2026", uptime: 1 }], "[0].date must be a calendar day"],
      [
        [
          { id: "a", date: today, uptime: 1 },
          { id: "a", date: today, uptime: 2 }
        ],
        "[1].uptime is a second entry for a on 2026-03-31"
      ]
    ]
    for (const [json, said] of wrong) expect(problem(json)).toContain(said)
  })

  it("has bounds, and never throws", () => {
    const day = { id: "a", date: today, uptime: 1 }
    expect(problem(Array.from({ length: maxUptimeDays + 1 }, () => day))).toContain("at most 200000 are allowed")
    fc.assert(
      fc.property(fc.anything(), (value) => {
        decodeUptime(value, today)
        decodeUptime([value, { id: "a", date: today, uptime: value }], today)
        decodeUptime({ a: value, b: { [today]: value } }, today)
      })
    )
  })
})

describe("an imported day merged with a measured one", () => {
  const length = fc.nat(dayLength)
  const shares = fc
    .record({
      operational: length,
      degraded_performance: length,
      partial_outage: length,
      major_outage: length,
      under_maintenance: length
    })
    .map((share) => (sum(share) <= dayLength ? share : { ...noShare, operational: share.operational }))

  it("keeps our measurements, never exceeds 24 hours, and fills the day except for rounding", () => {
    fc.assert(
      fc.property(shares, shares, length, (there, imported, bound) => {
        const fitted = fit(there, imported, bound)
        for (const status of componentStatuses) expect(fitted[status]).toBeGreaterThanOrEqual(there[status])
        expect(sum(fitted)).toBeLessThanOrEqual(Math.max(sum(there), bound))
        const wanted = Math.max(sum(there), Math.min(bound, sum(there) + sum(imported)))
        expect(wanted - sum(fitted)).toBeLessThanOrEqual(sum(imported) === 0 ? wanted : componentStatuses.length)
      })
    )
  })

  it("keeps the proportions of the imported day", () => {
    const imported = { ...noShare, operational: 0.75 * dayLength, major_outage: 0.25 * dayLength }
    expect(fit({ ...noShare, operational: dayLength / 2 }, imported, dayLength)).toEqual({
      ...noShare,
      operational: 0.875 * dayLength,
      major_outage: 0.125 * dayLength
    })
    expect(fit(noShare, imported, dayLength / 4)).toEqual({
      ...noShare,
      operational: 0.1875 * dayLength,
      major_outage: 0.0625 * dayLength
    })
  })
})
