import { Result } from "effect"
import { describe, expect, it } from "vitest"
import {
  decide,
  instantOf,
  isMissed,
  latestFiring,
  nextFiring,
  offsetAt,
  parseSchedule,
  scheduleProblem
} from "#daemons/watchdog/backups/ScheduleTimes.ts"

const minute = 60_000
const hour = 60 * minute
const at = (text: string) => Date.parse(text)
const iso = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString())
const of = (cron: string) => Result.getOrThrow(parseSchedule(cron))
const berlin = "Europe/Berlin"
const nightly = of("0 3 * * *")

/** Firings that a process carries out which looks at the clock at these times. */
const firingsOf = (schedule: ReturnType<typeof of>, zone: string, created: number, clock: ReadonlyArray<number>) => {
  let stored = created
  const fired: Array<number> = []
  for (const now of clock) {
    const decision = decide(schedule, stored, now, zone)
    stored = decision.stored
    if (decision.firing !== undefined) fired.push(decision.firing)
  }
  return fired
}

/** Pseudo-random numbers from 0 to 1, the same in each run. */
const numbers = (seed: number) => () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return seed / 2_147_483_648
}

describe("the times of a schedule", () => {
  it("are those of the local clock, in winter and in summer", () => {
    expect(iso(nextFiring(nightly, at("2026-01-10T12:00:00Z"), berlin))).toBe("2026-01-11T02:00:00.000Z")
    expect(iso(nextFiring(nightly, at("2026-07-10T12:00:00Z"), berlin))).toBe("2026-07-11T01:00:00.000Z")
    expect(iso(latestFiring(nightly, at("2026-07-10T01:00:00Z"), berlin))).toBe("2026-07-10T01:00:00.000Z")
    expect(iso(latestFiring(nightly, at("2026-07-10T00:59:59Z"), berlin))).toBe("2026-07-09T01:00:00.000Z")
    expect(iso(nextFiring(of("0 0 29 2 *"), at("2026-01-01T00:00:00Z"), "UTC"))).toBe("2028-02-29T00:00:00.000Z")
  })

  it("match one of two restricted fields of days, as in crontab(5), else both", () => {
    const next = (cron: string, from: string) => iso(nextFiring(of(cron), at(`${from}T12:00:00Z`), "UTC"))?.slice(0, 10)
    // 2026-12-01 is a Tuesday.
    expect(next("0 3 1 * 0", "2026-12-01")).toBe("2026-12-06")
    expect(next("0 3 1 * 0", "2026-12-27")).toBe("2027-01-01")
    expect(next("0 3 * * 0", "2026-12-01")).toBe("2026-12-06")
    expect(next("0 3 1 * *", "2026-12-01")).toBe("2027-01-01")
    expect(next("0 3 */2 * 0", "2026-12-01")).toBe("2026-12-13")
  })

  it("fire once on the days on which the clock changes", () => {
    // 2026-03-29 02:00 becomes 03:00; 2026-10-25 03:00 becomes 02:00.
    for (const cron of ["30 2 * * *", "0 2 * * *", "0 3 * * *", "59 2 * * *", "30 1 * * *"]) {
      for (const [from, days] of [
        ["2026-03-27T12:00:00Z", 3],
        ["2026-10-23T12:00:00Z", 3]
      ] as const) {
        const clock = Array.from({ length: days * 24 * 60 }, (_, tick) => at(from) + tick * minute)
        const fired = firingsOf(of(cron), berlin, at(from), clock)
        expect(fired, `${cron} from ${from}`).toHaveLength(days)
        expect(new Set(fired.map((one) => new Date(one + offsetAt(one, berlin)).getUTCDate())).size).toBe(days)
      }
    }
    expect(iso(instantOf(at("2026-03-29T02:30:00Z"), berlin))).toBe("2026-03-29T01:30:00.000Z")
    expect(iso(instantOf(at("2026-10-25T02:30:00Z"), berlin))).toBe("2026-10-25T00:30:00.000Z")
  })

  it("agree in both directions for any expression, time and zone", () => {
    const random = numbers(7)
    const pick = <A>(values: ReadonlyArray<A>) => values[Math.floor(random() * values.length)]!
    for (let round = 0; round < 300; round++) {
      const cron = [
        Math.floor(random() * 60),
        pick(["*", "*/6", "3", "2", "0,12"]),
        pick(["*", "1", "15"]),
        "*",
        pick(["*", "1-5", "0"])
      ].join(" ")
      const schedule = of(cron)
      const zone = pick(["UTC", berlin, "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"])
      const now = at("2026-01-01T00:00:00Z") + Math.floor(random() * 365 * 24 * 60) * minute
      const next = nextFiring(schedule, now, zone)!
      expect(next, cron).toBeGreaterThan(now)
      expect(latestFiring(schedule, next, zone), `${cron} ${zone} ${iso(now)}`).toBe(next)
      const last = latestFiring(schedule, now, zone)!
      expect(last).toBeLessThanOrEqual(now)
      expect(nextFiring(schedule, last, zone), `${cron} ${zone} ${iso(now)}`).toBe(next)
    }
  })

  it("refuse what is no schedule, in words", () => {
    expect(scheduleProblem("0 3 * * *")).toBeUndefined()
    expect(scheduleProblem("")).toContain("five fields")
    expect(scheduleProblem("0 3 * *")).toContain("five fields")
    expect(scheduleProblem("61 3 * * *")).toContain("minute")
    expect(scheduleProblem("* * * * *")).toContain("15 minutes")
    expect(scheduleProblem("0 3 30 2 *")).toContain("dayOfMonth")
    expect(scheduleProblem("0 3 L * *")).toContain("not supported")
    expect(scheduleProblem("0 ".repeat(500))).toContain("200 characters")
  })
})

describe("a firing", () => {
  it("is carried out once, whatever the clock does: hours forward and back", () => {
    const random = numbers(11)
    for (let round = 0; round < 200; round++) {
      let now = at("2026-11-01T12:00:00Z")
      const clock: Array<number> = []
      const real: Array<number> = []
      let shift = 0
      for (let tick = 0; tick < 4 * 48; tick++) {
        now += 30 * minute
        // The clock is wrong by an hour for some time.
        if (random() < 0.05) shift = shift === 0 ? (random() < 0.5 ? hour : -hour) : 0
        clock.push(now + shift)
        real.push(now)
      }
      clock.push(now + 24 * hour)
      const fired = firingsOf(nightly, "UTC", at("2026-11-01T12:00:00Z"), clock)
      expect(new Set(fired).size).toBe(fired.length)
      expect(fired, `round ${round}`).toHaveLength(5)
    }
  })

  it("that was missed is made up once, and only the latest of several", () => {
    const created = at("2026-11-01T12:00:00Z")
    const away = [at("2026-11-05T10:00:00Z"), at("2026-11-05T10:01:00Z"), at("2026-11-06T03:00:00Z")]
    expect(firingsOf(nightly, "UTC", created, away).map(iso)).toEqual([
      "2026-11-05T03:00:00.000Z",
      "2026-11-06T03:00:00.000Z"
    ])
  })

  it("of a clock that was years ahead does not stop the schedule", () => {
    const wrong = at("2031-01-01T03:00:00Z")
    const now = at("2026-11-05T10:00:00Z")
    const clock = [now, now + 12 * hour, at("2026-11-06T03:00:00Z"), at("2026-11-06T03:01:00Z")]
    const fired = firingsOf(nightly, "UTC", wrong, clock).map(iso)
    expect(fired).toEqual(["2026-11-06T03:00:00.000Z"])
  })

  it("counts as missed six hours after its time, and until a backup succeeds", () => {
    const since = at("2026-11-01T12:00:00Z")
    const success = at("2026-11-04T03:20:00Z")
    const missed = (now: string, more: object = {}) => isMissed(nightly, { since, success, ...more }, at(now), "UTC")
    expect(missed("2026-11-05T08:59:00Z")).toBe(false)
    expect(missed("2026-11-05T09:00:00Z")).toBe(true)
    expect(missed("2026-11-05T12:00:00Z", { success: at("2026-11-05T11:00:00Z") })).toBe(false)
    // A schedule that is younger than its latest time has missed nothing.
    expect(missed("2026-11-05T12:00:00Z", { since: at("2026-11-05T04:00:00Z"), success: 0 })).toBe(false)
  })
})
