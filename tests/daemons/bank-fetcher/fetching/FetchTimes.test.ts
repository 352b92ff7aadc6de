import { describe, expect, it } from "vitest"
import { dueFiring, jitter, nextTime, timesOf } from "#daemons/bank-fetcher/fetching/FetchTimes.ts"

const hours = { intradayStart: 7, intradayEnd: 20 }
const account = (change: object = {}) => ({
  id: "0b8f6a1e-0000-4000-8000-000000000001",
  daily_schedule: null,
  intraday_schedule: null,
  ...change
})
const at = (text: string) => Date.parse(text)
const minute = 60_000

describe("the times of an account", () => {
  it("are about 08:00 and hourly from 07 to 20 UTC, later by less than the jitter", () => {
    const daily = timesOf(account(), "daily", hours)
    const next = nextTime(daily, at("2026-11-26T00:00:00Z"))!
    expect(next - at("2026-11-26T08:00:00Z")).toBe(daily.jitter)
    expect(daily.jitter).toBeLessThan(15 * minute)
    const intraday = timesOf(account(), "intraday", hours)
    const firings: Array<number> = []
    for (let now = at("2026-11-26T00:00:00Z"); ;) {
      now = nextTime(intraday, now)!
      if (now >= at("2026-11-27T00:00:00Z")) break
      firings.push(new Date(now - intraday.jitter).getUTCHours())
    }
    expect(firings).toEqual(Array.from({ length: 14 }, (_, hour) => hour + 7))
  })

  it("follow the hours of the settings and the schedule of the account", () => {
    const night = { intradayStart: 22, intradayEnd: 23 }
    const usual = timesOf(account(), "intraday", night)
    expect(new Date(nextTime(usual, at("2026-11-26T00:00:00Z"))!).getUTCHours()).toBe(22)
    const chosen = timesOf(account({ daily_schedule: "30 5 * * 1" }), "daily", hours)
    const next = nextTime(chosen, at("2026-11-26T00:00:00Z"))!
    expect(next - at("2026-11-30T05:30:00Z")).toBe(chosen.jitter)
    expect(chosen.jitter).toBeLessThan(minute)
    expect(nextTime(timesOf(account({ daily_schedule: "off" }), "daily", hours), 0)).toBeUndefined()
    expect(timesOf(account({ daily_schedule: "no schedule" }), "daily", hours)).toEqual(
      timesOf(account(), "daily", hours)
    )
  })

  it("have the same jitter after every restart, and different ones for different accounts", () => {
    const delays = Array.from({ length: 200 }, (_, number) => jitter(`account ${number}`, "daily", 900_000))
    expect(delays).toEqual(Array.from({ length: 200 }, (_, number) => jitter(`account ${number}`, "daily", 900_000)))
    expect(new Set(delays).size).toBeGreaterThan(190)
    expect(Math.min(...delays)).toBeLessThan(90_000)
    expect(Math.max(...delays)).toBeGreaterThan(810_000)
  })
})

describe("a firing is due", () => {
  const times = { ...timesOf(account(), "daily", hours), jitter: 5 * minute }
  const due = (handled: string, now: string) => {
    const firing = dueFiring(times, at(handled), at(now))
    return firing === undefined ? undefined : new Date(firing).toISOString()
  }

  it("once its time with the jitter has come, and only once", () => {
    expect(due("2026-11-25T08:00:00Z", "2026-11-26T08:04:59Z")).toBeUndefined()
    expect(due("2026-11-25T08:00:00Z", "2026-11-26T08:05:00Z")).toBe("2026-11-26T08:00:00.000Z")
    expect(due("2026-11-26T08:00:00Z", "2026-11-26T08:05:01Z")).toBeUndefined()
  })

  it("once after an outage of 20 days, not once for each missed day", () => {
    expect(due("2026-11-06T08:00:00Z", "2026-11-26T03:00:00Z")).toBe("2026-11-25T08:00:00.000Z")
    expect(due("2026-11-25T08:00:00Z", "2026-11-26T03:00:00Z")).toBeUndefined()
  })

  it("not for a time before the account was created", () => {
    expect(due("2026-11-26T10:00:00Z", "2026-11-26T12:00:00Z")).toBeUndefined()
    expect(due("2026-11-26T10:00:00Z", "2026-11-27T12:00:00Z")).toBe("2026-11-27T08:00:00.000Z")
  })
})
