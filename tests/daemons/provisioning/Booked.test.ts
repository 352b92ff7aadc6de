import { assert, describe, it } from "vitest"
import { type Bookings, bookingReason, type BookingState, type Mapping } from "#daemons/provisioning/bookings/Booked.ts"

const service = (is_base = false) => ({ slug: "email", is_base })
const mapping = (to: Partial<Mapping> = {}): Mapping => ({
  service: "email",
  module_slug: null,
  package_type: null,
  package_id: null,
  ...to
})
const none: Bookings = { modules: [], subscriptions: [], addons: [] }
const module = (slug: string, status: BookingState = "active"): Bookings => ({ ...none, modules: [{ slug, status }] })
const subscribed = (id: number, type: string, status: BookingState = "active"): Bookings => ({
  ...none,
  subscriptions: [{ status, package: { id, type } }]
})
const addon: Bookings = { ...none, addons: [{ slug: "storage" }] }

describe("a service is booked", () => {
  it.each([
    ["base, whatever is booked", service(true), [], module("crm"), "base"],
    ["base, without bookings", service(true), [], none, "base"],
    ["no bookings at all", service(), [mapping({ module_slug: "mail" })], none, "no_bookings"],
    ["no bookings and no mapping", service(), [], none, "no_bookings"],
    ["a module with the slug", service(), [mapping({ module_slug: "mail" })], module("mail"), "module"],
    ["a module on trial", service(), [mapping({ module_slug: "mail" })], module("mail", "trial"), "module"],
    ["another module", service(), [mapping({ module_slug: "mail" })], module("crm"), "not_booked"],
    ["a suspended module", service(), [mapping({ module_slug: "mail" })], module("mail", "suspended"), "not_booked"],
    ["a cancelled module", service(), [mapping({ module_slug: "mail" })], module("mail", "cancelled"), "not_booked"],
    ["an expired module", service(), [mapping({ module_slug: "mail" })], module("mail", "expired"), "not_booked"],
    ["a module, without any mapping", service(), [], module("mail"), "not_booked"],
    [
      "a mapping of another service",
      service(),
      [mapping({ service: "x", module_slug: "mail" })],
      module("mail"),
      "not_booked"
    ],
    ["a package of the type", service(), [mapping({ package_type: "office" })], subscribed(1, "office"), "package"],
    ["a package of another type", service(), [mapping({ package_type: "office" })], subscribed(1, "web"), "not_booked"],
    ["the package with the id", service(), [mapping({ package_id: 1 })], subscribed(1, "office"), "package"],
    ["a package with another id", service(), [mapping({ package_id: 1 })], subscribed(2, "office"), "not_booked"],
    [
      "type and id of one package",
      service(),
      [mapping({ package_type: "office", package_id: 1 })],
      subscribed(1, "office"),
      "package"
    ],
    [
      "the type, but another id",
      service(),
      [mapping({ package_type: "office", package_id: 1 })],
      subscribed(2, "office"),
      "not_booked"
    ],
    [
      "a cancelled subscription",
      service(),
      [mapping({ package_type: "office" })],
      subscribed(1, "office", "cancelled"),
      "not_booked"
    ],
    [
      "a module slug that is a package type",
      service(),
      [mapping({ module_slug: "office" })],
      subscribed(1, "office"),
      "not_booked"
    ],
    [
      "module or package of one mapping",
      service(),
      [mapping({ module_slug: "mail", package_type: "office" })],
      subscribed(1, "office"),
      "package"
    ],
    [
      "the second of two mappings",
      service(),
      [mapping({ module_slug: "x" }), mapping({ module_slug: "mail" })],
      module("mail"),
      "module"
    ],
    ["only an addon", service(), [mapping({ module_slug: "mail" })], addon, "not_booked"]
  ] as const)("%s", (_name, about, mappings, bookings, expected) => {
    assert.strictEqual(bookingReason(about, mappings, bookings), expected)
  })

  it("by a module before a package", () => {
    const both = { ...subscribed(1, "office"), modules: module("mail").modules }
    assert.strictEqual(
      bookingReason(service(), [mapping({ module_slug: "mail", package_type: "office" })], both),
      "module"
    )
  })
})
