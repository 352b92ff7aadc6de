import { emergencyNumbers, isEmergency, isEmergencyAbroad } from "#protocols/phone-numbers/EmergencyNumbers.ts"
import { describe, expect, it } from "@effect/vitest"
import google from "google-libphonenumber"
import { type CountryCode, isSupportedCountry } from "libphonenumber-js/min"

const { PhoneNumberUtil, ShortNumberInfo } = google
const regions = PhoneNumberUtil.getInstance()
  .getSupportedRegions()
  .filter((region) => isSupportedCountry(region))
const everywhere = ["110", "112", "911", "999"]

describe("the table of emergency numbers", () => {
  const library = new ShortNumberInfo()

  it("has the library's numbers of two and three digits, in every country", () => {
    const short = [2, 3].flatMap((length) =>
      Array.from({ length: 10 ** length }, (_, number) => String(number).padStart(length, "0"))
    )
    const ofLibrary = (country: CountryCode) => short.filter((number) => library.isEmergencyNumber(number, country))
    expect(regions.length).toBeGreaterThan(200)
    for (const country of regions) {
      const ours = [...emergencyNumbers(country)].filter((number) => number.length <= 3)
      expect(new Set(ours), country).toEqual(new Set([...everywhere, ...ofLibrary(country)]))
    }
  })

  it("has no longer number that the library does not have", () => {
    for (const country of regions)
      for (const number of emergencyNumbers(country))
        if (number.length > 3) expect(library.isEmergencyNumber(number, country), `${country} ${number}`).toBe(true)
    // Counted once over all numbers of four and five digits.
    const longer = regions.flatMap((country) => [...emergencyNumbers(country)].filter((number) => number.length > 3))
    expect(longer).toHaveLength(112)
  })
})

it("reads numbers as they are dialled and in E.164", () => {
  expect(isEmergency("112", "DE")).toBe(true)
  expect(isEmergency("1 1-2", "DE")).toBe(true)
  expect(isEmergency("1122", "DE")).toBe(false)
  expect(isEmergency("144", "AT")).toBe(true)
  expect(isEmergency("144", "DE")).toBe(false)
  expect(isEmergencyAbroad("+49112")).toBe(true)
  expect(isEmergencyAbroad("+1911")).toBe(true)
  expect(isEmergencyAbroad("+43144")).toBe(true)
  expect(isEmergencyAbroad("+4930112")).toBe(false)
  expect(isEmergencyAbroad("+49301234567")).toBe(false)
})
