import { describe, expect, it } from "@effect/vitest"
import { Duration } from "effect"
import fc from "fast-check"
import { type BanRule, decide, fresh } from "#core/bans/BanDecision.ts"
import { mailBruteForce, mailSpamSender } from "#daemons/mail-admin/bans/BanRules.ts"

const minute = 60_000
const day = 24 * 60 * minute

/** End of the ban after each offence; undefined: no ban. */
const bans = (rule: BanRule, times: ReadonlyArray<number>): ReadonlyArray<number | undefined> => {
  let record = fresh
  return times.map((at) => {
    const decision = decide(record, at, rule)
    record = decision.record
    if (record._tag === "Counting") expect(record.times.length).toBeLessThan(rule.count)
    return decision.bannedUntil
  })
}

/** Reference model: applies the rule to the complete history. Assumes a monotonic clock. */
const model = (rule: BanRule, times: ReadonlyArray<number>): ReadonlyArray<number | undefined> => {
  const [window, length] = [Duration.toMillis(rule.window), Duration.toMillis(rule.length)]
  const answers: Array<number | undefined> = []
  times.forEach((at, index) => {
    const earlier = answers.slice(0, index).findLastIndex((until) => until !== undefined)
    const until = earlier === -1 ? undefined : answers[earlier]!
    const counted = times
      .slice(0, index + 1)
      .filter((time, each) => each > earlier && time > at - window && (until === undefined || time >= until))
    answers.push((until === undefined || at >= until) && counted.length >= rule.count ? at + length : undefined)
  })
  return answers
}

describe.each([
  [mailBruteForce, 5, 5 * minute],
  [mailSpamSender, 20, 10 * minute]
] as const)("$name", (rule, count, window) => {
  const often = (times: number, apart: number, start = 0) =>
    Array.from({ length: times }, (_, index) => start + index * apart)
  const apart = Math.floor((window - 1) / (count - 1))

  it("bans for a day at exactly the offence that reaches the count", () => {
    expect(bans(rule, often(count, apart))).toEqual([
      ...Array.from({ length: count - 1 }, () => undefined),
      (count - 1) * apart + day
    ])
    expect(bans(rule, often(count - 1, 0)).every((until) => until === undefined)).toBe(true)
  })

  it("never bans an address that stays below the count", () => {
    expect(bans(rule, often(count * 10, Math.ceil(window / (count - 1)))).every((until) => until === undefined)).toBe(
      true
    )
  })

  it("bans once, and again only after the ban has ended and the count is reached again", () => {
    const said = bans(rule, [...often(count, 0), ...often(1_000, 10), ...often(count, 0, day)])
    expect(said.flatMap((until, index) => (until === undefined ? [] : [[index, until]]))).toEqual([
      [count - 1, day],
      [count - 1 + 1_000 + count, 2 * day]
    ])
  })

  it("equals the naive model for any times", () => {
    const gaps = fc.array(
      fc.oneof(fc.nat(window), fc.nat(minute), fc.constantFrom(0, window - 1, window, day - 1, day)),
      { maxLength: count * 5 }
    )
    fc.assert(
      fc.property(gaps, (steps) => {
        let now = 0
        const times = steps.map((step) => (now += step))
        expect(bans(rule, times)).toEqual(model(rule, times))
      })
    )
  })

  it("never bans twice during a ban or below the count, for any clock", () => {
    const clock = fc.array(
      fc.oneof(fc.integer({ min: -2 * day, max: 2 * day }), fc.integer({ min: -minute, max: minute })),
      { maxLength: count * 8 }
    )
    fc.assert(
      fc.property(clock, (times) => {
        let [until, since] = [Number.NEGATIVE_INFINITY, 0]
        bans(rule, times).forEach((ban, index) => {
          since += 1
          if (ban === undefined) return
          expect(ban).toBe(times[index]! + day)
          expect(times[index]).toBeGreaterThanOrEqual(until)
          expect(since).toBeGreaterThanOrEqual(count)
          until = ban
          since = 0
        })
      })
    )
  })

  it("tolerates a small step back of the clock, and drops times far in the future", () => {
    expect(bans(rule, often(count, -1, day)).at(-1)).toBe(day - (count - 1) + day)
    expect(
      bans(rule, [...often(count - 1, 0, day), 0, ...often(count - 2, 0)]).every((until) => until === undefined)
    ).toBe(true)
  })
})
