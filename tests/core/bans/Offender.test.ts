import { expect, it } from "vitest"
import { offenderOf } from "#core/bans/Offender.ts"

const offender = offenderOf(["10.1.0.0/16", "2001:db8:9::/48"])

it.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:DB8:1:2::77", "2001:db8:1:2::/64"],
  ["10.2.0.1", "10.2.0.1"]
])("counts %s against %s", (address, counted) => expect(offender(address)).toBe(counted))

it.each([
  undefined,
  "",
  "127.0.0.1",
  "127.9.9.9",
  "::1",
  "::ffff:127.0.0.1",
  "10.1.2.3",
  "::ffff:10.1.2.3",
  "2001:db8:9:1::1",
  "unix:/run/x",
  "127.1",
  "1.2.3.4.5",
  "fe80::1%eth0",
  "192.0.2.7/8"
])("counts nothing against %s", (address) => expect(offender(address)).toBeUndefined())
