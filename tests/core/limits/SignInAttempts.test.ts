import { expect, it } from "vitest"
import { keysOf } from "#core/limits/SignInAttempts.ts"

const secret = new Uint8Array(32).fill(1)
const keys = keysOf(secret, "ann@example.org", "2001:db8:1:2::1")

it("the keys are those of the account, the client and the pair", () => {
  expect(new Set(Object.values(keys)).size).toBe(3)
  expect(keysOf(secret, "ann@example.org", "2001:db8:1:2::ffff")).toEqual(keys)
  const elsewhere = keysOf(secret, "ann@example.org", "2001:db8:1:3::1")
  expect([
    elsewhere.account === keys.account,
    elsewhere.address === keys.address,
    elsewhere.pair === keys.pair
  ]).toEqual([true, false, false])
  const other = keysOf(secret, "bob@example.org", "2001:db8:1:2::1")
  expect([other.account === keys.account, other.address === keys.address, other.pair === keys.pair]).toEqual([
    false,
    true,
    false
  ])
  // An account name that equals an IP address must not share that address's count.
  expect(keysOf(secret, "192.0.2.1", "192.0.2.1").account).not.toBe(keysOf(secret, "192.0.2.1", "192.0.2.1").address)
})

it("the keys reveal nothing without the secret", () => {
  for (const key of Object.values(keys)) expect(key).toMatch(/^[\w-]{43}$/)
  const others = Object.values(keysOf(new Uint8Array(32).fill(2), "ann@example.org", "2001:db8:1:2::1"))
  expect(Object.values(keys).filter((key) => others.includes(key))).toEqual([])
})
