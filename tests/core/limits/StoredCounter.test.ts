import fc from "fast-check"
import { expect, it } from "vitest"
import { type Count, waitOf } from "#core/limits/StoredCounter.ts"

const window = 300
const decide = (account: Count | undefined, address: Count | undefined) =>
  waitOf(
    [
      { count: account, limit: 10 },
      { count: address, limit: 20 }
    ],
    window
  )
const count = (tries: number, secondsLeft = 100) => ({ tries, secondsLeft })

it.each([
  ["nothing before", undefined, undefined, 0],
  ["the last that passes", count(9), count(19), 0],
  ["the account is full", count(10), count(1), 100],
  ["the address is full", count(1), count(20), 100],
  ["full, but the window has ended", count(10, 0), count(20, -5), 0],
  ["both, until the later", count(10, 20.1), count(25, 7), 21],
  ["both, until the later, which is the address's", count(10, 7), count(25, 99), 99],
  ["the fuller is over, the other is not", count(10, -1), count(20, 0.2), 1],
  ["no longer than a window", count(10, 300.5), undefined, 300]
])("%s", (_what, account, address, retryAfter) => {
  expect(decide(account, address)).toBe(retryAfter)
})

it("more tries never pass where fewer did not", () => {
  const counts: fc.Arbitrary<Count> = fc.record({
    tries: fc.nat({ max: 30 }),
    secondsLeft: fc.double({ min: -10, max: 301, noNaN: true })
  })
  fc.assert(
    fc.property(counts, counts, fc.nat({ max: 30 }), (account, address, more) => {
      const before = decide(account, address)
      const after = decide({ ...account, tries: account.tries + more }, { ...address, tries: address.tries + more })
      if (before === 0) return
      expect(after).toBeGreaterThan(0)
      expect(Number.isInteger(before) && before >= 1 && before <= window).toBe(true)
    })
  )
})
