import { afterEach, describe, expect, it } from "vitest"
import { accountZone, clockDay, clockText, timeAt, zone } from "../../../console/lib/TimeZone.ts"

afterEach(() => {
  accountZone.value = null
})

/** The time at which the clock of a zone shows a text, ISO 8601. */
const at = (name: string, text: string): string => {
  accountZone.value = name
  return new Date(timeAt(text)).toISOString()
}

describe("times of the account's zone", () => {
  it("are those of its clock, also over midnight and at half hours", () => {
    accountZone.value = "Asia/Tokyo"
    expect([clockText("2030-01-01T20:05:07.900Z"), clockDay("2030-01-01T20:05:07Z")]).toEqual([
      "2030-01-02T05:05:07",
      "2030-01-02"
    ])
    expect(at("Asia/Kolkata", "2030-01-01T00:00")).toBe("2029-12-31T18:30:00.000Z")
  })

  it("are read back, in summer and winter, at the first of two equal times, and after a skipped one", () => {
    expect(at("Europe/Berlin", "2030-07-01T12:00")).toBe("2030-07-01T10:00:00.000Z")
    expect(at("Europe/Berlin", "2030-10-27T02:30")).toBe("2030-10-27T00:30:00.000Z")
    expect(at("Europe/Berlin", "2030-10-27T03:30")).toBe("2030-10-27T02:30:00.000Z")
    expect(at("Europe/Berlin", "2030-03-31T02:30")).toBe("2030-03-31T01:30:00.000Z")
    expect(at("America/New_York", "2030-03-10T01:59")).toBe("2030-03-10T06:59:00.000Z")
    for (const text of ["", "now", "2030-13-01T00:00"]) expect(timeAt(text)).toBeNaN()
  })

  it("are the device's without a zone, and with one that the browser lacks", () => {
    const local = new Date(2030, 5, 1, 12, 30).getTime()
    for (const name of [null, "Mars/Olympus"]) {
      accountZone.value = name
      expect(zone.value).toBeUndefined()
      expect([clockText(local), timeAt("2030-06-01T12:30")]).toEqual(["2030-06-01T12:30:00", local])
    }
  })
})
