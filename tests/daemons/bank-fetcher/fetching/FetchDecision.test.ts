import { describe, expect, it } from "vitest"
import {
  afterFailure,
  type Attempt,
  type Failure,
  repeatedFor,
  toldFrom
} from "#daemons/bank-fetcher/fetching/FetchDecision.ts"

const away: Failure = { problem: "The bank does not answer.", code: null, repeatable: true, outage: true }
const refusal: Failure = { ...away, code: "091120", repeatable: false }
const minute = 60_000
const attempt: Attempt = {
  reason: "daily",
  age: 0,
  superseded: false,
  failures: 0,
  announced: false,
  minute,
  random: 0.5
}

describe("after a failed attempt", () => {
  it("the pauses double from 15 seconds to half an hour", () => {
    const pauses = Array.from(
      { length: 9 },
      (_, failures) => afterFailure(away, { ...attempt, failures }).pause! / 1000
    )
    expect(pauses).toEqual([15, 30, 60, 120, 240, 480, 960, 1800, 1800])
    expect(afterFailure(away, { ...attempt, random: 1 }).pause).toBe(18_000)
    expect(afterFailure(away, { ...attempt, minute: 1_000 }).pause).toBe(250)
  })

  it("an outage is announced once, when a temporary failure has come three times in a row", () => {
    let announced = false
    const told = Array.from({ length: 6 }, (_, failures) => {
      const verdict = afterFailure(away, { ...attempt, failures, announced })
      announced ||= verdict.announce
      return verdict.announce
    })
    expect(told).toEqual([false, false, true, false, false, false])
    expect(toldFrom).toBe(3)
  })

  it("a refusal is announced at once and ends the fetch", () => {
    expect(afterFailure(refusal, attempt)).toEqual({ pause: null, failures: 1, announce: true })
    expect(afterFailure(refusal, { ...attempt, failures: 4, announced: true })).toEqual({
      pause: null,
      failures: 5,
      announce: false
    })
  })

  it("a refusal of special days is no outage", () => {
    const special = { ...refusal, outage: false }
    expect(afterFailure(special, { ...attempt, reason: "manual" })).toEqual({
      pause: null,
      failures: 0,
      announce: false
    })
  })

  it.each(["daily", "intraday", "manual"] as const)("a %s fetch is repeated for a bounded time", (reason) => {
    const last = repeatedFor[reason] * minute
    expect(afterFailure(away, { ...attempt, reason, age: last - 20_000 }).pause).toBe(15_000)
    expect(afterFailure(away, { ...attempt, reason, age: last }).pause).toBeNull()
  })

  it("a fetch that a newer one replaces ends", () => {
    expect(afterFailure(away, { ...attempt, superseded: true }).pause).toBeNull()
  })
})
