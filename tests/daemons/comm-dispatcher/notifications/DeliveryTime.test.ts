import { Schema } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  laterAt,
  nextAt,
  quietUntil,
  type TellingSettings,
  TellingSettings as Settings,
  usualSettings
} from "#daemons/comm-dispatcher/notifications/DeliveryTime.ts"

const at = (text: string) => Date.parse(text)
const shown = (time: number | undefined) =>
  time === undefined ? undefined : new Date(time).toISOString().replace(":00.000Z", "Z")
const everyDay = [1, 2, 3, 4, 5, 6, 7]
const quiet = (
  from: string,
  to: string,
  more: Partial<NonNullable<TellingSettings["quiet"]>> = {}
): TellingSettings => ({ ...usualSettings, quiet: { from, to, days: everyDay, errors_pass: true, ...more } })

describe("quiet hours", () => {
  // Berlin is one hour ahead of UTC in winter. 4 November 2026 is a Wednesday.
  it("end in the morning after the evening they began in", () => {
    const night = quiet("22:00", "06:30")
    expect(shown(quietUntil(night, at("2026-11-04T20:59:59Z")))).toBeUndefined()
    expect(shown(quietUntil(night, at("2026-11-04T21:00:00Z")))).toBe("2026-11-05T05:30Z")
    expect(shown(quietUntil(night, at("2026-11-05T05:29:00Z")))).toBe("2026-11-05T05:30Z")
    expect(shown(quietUntil(night, at("2026-11-05T05:30:00Z")))).toBeUndefined()
    expect(shown(quietUntil(quiet("12:00", "13:00"), at("2026-11-04T11:30:00Z")))).toBe("2026-11-04T12:00Z")
    expect(shown(quietUntil(quiet("08:00", "08:00", { days: [3] }), at("2026-11-04T11:30:00Z")))).toBe(
      "2026-11-05T07:00Z"
    )
  })

  it("are of the days on which they begin", () => {
    const friday = quiet("22:00", "06:00", { days: [5] })
    expect(quietUntil(friday, at("2026-11-05T22:00:00Z"))).toBeUndefined()
    expect(quietUntil(friday, at("2026-11-06T22:00:00Z"))).toBeDefined()
    expect(quietUntil(friday, at("2026-11-07T03:00:00Z"))).toBeDefined()
    expect(quietUntil(friday, at("2026-11-07T22:00:00Z"))).toBeUndefined()
    // From Sunday into Monday.
    expect(quietUntil(quiet("22:00", "06:00", { days: [7] }), at("2026-11-09T03:00:00Z"))).toBeDefined()
    expect(quietUntil(quiet("22:00", "06:00", { days: [1] }), at("2026-11-09T03:00:00Z"))).toBeUndefined()
  })

  it("end by the clock on the wall also when that was changed in between", () => {
    expect(shown(quietUntil(quiet("22:00", "06:00"), at("2026-10-24T21:00:00Z")))).toBe("2026-10-25T05:00Z")
    expect(shown(quietUntil(quiet("22:00", "06:00"), at("2027-03-27T22:00:00Z")))).toBe("2027-03-28T04:00Z")
    // 02:30 occurs twice in this night, and the second one also ends the quiet hours.
    expect(shown(quietUntil(quiet("22:00", "02:30"), at("2026-10-25T01:10:00Z")))).toBe("2026-10-25T01:30Z")
    expect(shown(laterAt({ ...usualSettings, digest: "hourly" }, "email", "info", at("2026-10-25T00:10:00Z")))).toBe(
      "2026-10-25T01:00Z"
    )
    // 02:30 does not exist in that night.
    expect(shown(nextAt(usualSettings, "02:30", at("2027-03-27T23:00:00Z")))).toBe("2027-03-28T01:30Z")
  })

  it("that follow each other end together", () => {
    const weekend = quiet("00:00", "00:00", { days: [6, 7] })
    expect(shown(quietUntil(weekend, at("2026-11-07T11:00:00Z")))).toBe("2026-11-08T23:00Z")
  })

  it("always end, within a day and an hour, outside of themselves", () => {
    const time = fc
      .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
      .map(([h, m]) => `${String(h).padStart(2, "0")}:${String(m).padStart(2, "0")}`)
    const zone = fc.constantFrom("Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Pacific/Apia", "UTC")
    fc.assert(
      fc.property(
        time,
        time,
        zone,
        fc.integer({ min: at("2026-01-01T00:00:00Z"), max: at("2028-01-01T00:00:00Z") }),
        (from, to, name, moment) => {
          const settings = { ...quiet(from, to, { days: [1, 3, 5] }), zone: name }
          const end = quietUntil(settings, moment)
          if (end === undefined) return
          expect(end).toBeGreaterThan(moment)
          expect(end - moment).toBeLessThanOrEqual(25 * 3_600_000)
          expect(quietUntil(settings, end)).toBeUndefined()
        }
      ),
      { numRuns: 300 }
    )
  })
})

describe("what is told later", () => {
  const noon = at("2026-11-04T11:20:00Z")

  it("waits for the end of quiet hours, but for errors where they may pass", () => {
    const settings = quiet("12:00", "14:00")
    expect(shown(laterAt(settings, "messenger", "info", noon))).toBe("2026-11-04T13:00Z")
    expect(laterAt(settings, "messenger", "error", noon)).toBeUndefined()
    expect(shown(laterAt(quiet("12:00", "14:00", { errors_pass: false }), "email", "error", noon))).toBe(
      "2026-11-04T13:00Z"
    )
    expect(laterAt(usualSettings, "email", "info", noon)).toBeUndefined()
  })

  it("is gathered in the mail of an hour or a day, errors excepted", () => {
    expect(shown(laterAt({ ...usualSettings, digest: "hourly" }, "email", "info", noon))).toBe("2026-11-04T12:00Z")
    expect(shown(laterAt({ ...usualSettings, digest: "daily" }, "email", "info", noon))).toBe("2026-11-05T07:00Z")
    expect(shown(laterAt({ ...usualSettings, digest: "daily", digest_at: "18:00" }, "email", "warning", noon))).toBe(
      "2026-11-04T17:00Z"
    )
    expect(laterAt({ ...usualSettings, digest: "daily" }, "messenger", "info", noon)).toBeUndefined()
    expect(laterAt({ ...usualSettings, digest: "daily" }, "email", "error", noon)).toBeUndefined()
    // A digest is not sent during quiet hours.
    expect(shown(laterAt({ ...quiet("12:30", "15:00"), digest: "hourly" }, "email", "info", noon))).toBe(
      "2026-11-04T14:00Z"
    )
  })
})

describe("the settings", () => {
  const is = Schema.is(Settings)
  it("take zones, times and days that there are", () => {
    expect(is(usualSettings) && is(quiet("22:00", "06:00"))).toBe(true)
    for (const wrong of [
      { zone: "Europe/Nowhere" },
      { zone: "" },
      { digest: "weekly" },
      { digest_at: "24:00" },
      { digest_at: "8:00" },
      { quiet: { from: "22:00", to: "06:00", days: [], errors_pass: true } },
      { quiet: { from: "22:00", to: "6", days: [1], errors_pass: true } },
      { quiet: { from: "22:00", to: "06:00", days: [0], errors_pass: true } },
      { quiet: { from: "22:00", to: "22:00", days: everyDay, errors_pass: true } }
    ])
      expect(is({ ...usualSettings, ...wrong })).toBe(false)
  })
})
