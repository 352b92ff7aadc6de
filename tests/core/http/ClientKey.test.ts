import { expect, it } from "vitest"
import { clientKey } from "#core/http/ClientKey.ts"

it("counts a /64 of IPv6 as one client", () => {
  expect(clientKey("2001:db8:1:2::1")).toBe(clientKey("2001:db8:1:2:ffff:ffff:ffff:ffff"))
  expect(clientKey("2001:db8:1:2::1")).not.toBe(clientKey("2001:db8:1:3::1"))
  expect(clientKey("::ffff:192.0.2.1")).toBe(clientKey("192.0.2.1"))
  expect(clientKey("192.0.2.1")).not.toBe(clientKey("192.0.2.2"))
  expect(["", "unix:", "no address"].map(clientKey)).toEqual(["", "unix:", "no address"])
})
