import { expect, it } from "vitest"
import { fullName, nameInZone, zoneOf } from "#daemons/dns-verifier/record-sets/ZoneNames.ts"

const zones = ["example.org", "shop.example.org", "example.co.uk", "xample.org"].map((name, at) => ({
  id: String(at),
  name
}))

it.each([
  ["example.org", "example.org"],
  ["www.example.org", "example.org"],
  ["shop.example.org", "shop.example.org"],
  ["a.b.shop.example.org", "shop.example.org"],
  ["myshop.example.org", "example.org"],
  ["example.co.uk", "example.co.uk"],
  ["other.co.uk", undefined],
  ["org", undefined],
  ["notexample.org", undefined]
])("finds the zone of %s", (domain, zone) => expect(zoneOf(domain, zones)?.name).toBe(zone))

it.each([
  ["example.org", "@"],
  ["www.example.org", "www"],
  ["*.example.org", "*"],
  ["_a._b.example.org", "_a._b"],
  ["notexample.org", undefined]
])("returns the relative name of %s in the zone", (name, inZone) => {
  expect(nameInZone(name, "example.org")).toBe(inZone)
  if (inZone !== undefined) expect(fullName(inZone, "example.org")).toBe(name)
})
