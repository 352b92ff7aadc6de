import { describe, expect, it } from "vitest"
import { canonicalTimeZone, momentIn, timesInZone, timeZoneProblem } from "#core/words/TimeZone.ts"

describe("time zones", () => {
  it("are found by name, alias and letter case, and others are refused", () => {
    expect(["Europe/Berlin", "europe/berlin", "US/Eastern", "UTC", "Etc/UTC"].map(canonicalTimeZone)).toEqual([
      "Europe/Berlin",
      "Europe/Berlin",
      "America/New_York",
      "UTC",
      "UTC"
    ])
    for (const wrong of ["", "Europe/Nowhere", "Berlin", "Europe/Berlin ", "x".repeat(10_000)])
      expect(timeZoneProblem(wrong), wrong).toBe("must be a time zone such as Europe/Berlin")
    expect(timeZoneProblem("Asia/Kathmandu")).toBeUndefined()
  })

  it("name moments, in UTC without a zone, and with summer time", () => {
    const [winter, summer] = [new Date("2030-01-01T23:05:00Z"), new Date("2030-07-01T23:05:00Z")]
    expect(momentIn(winter, "en", null)).toBe("1 January 2030 at 23:05 UTC")
    expect(momentIn(winter, "en", "Europe/Berlin")).toBe("2 January 2030 at 00:05 CET")
    expect(momentIn(summer, "de", "Europe/Berlin")).toBe("2. Juli 2030 um 01:05 MESZ")
    expect(momentIn(winter, "de", null)).toBe("1. Januar 2030 um 23:05 UTC")
  })

  it("replace the moments of a text, and only those that are named", () => {
    const [from, to] = ["2030-01-01T23:05:00.000Z", "2030-01-01T23:06:30.000Z"]
    const text = `Disk full from ${momentIn(new Date(from), "en", null)} to ${momentIn(new Date(to), "en", null)}`
    expect(timesInZone(text, [from, to], "en", "Asia/Tokyo")).toBe(
      "Disk full from 2 January 2030 at 08:05 GMT+9 to 2 January 2030 at 08:06 GMT+9"
    )
    expect(timesInZone(text, [from], "en", "Asia/Tokyo")).toContain("to 1 January 2030 at 23:06 UTC")
    expect(timesInZone(text, [from, to], "en", null)).toBe(text)
  })
})
