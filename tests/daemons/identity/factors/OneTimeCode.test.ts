import { Redacted } from "effect"
import fc from "fast-check"
import { expect, it } from "vitest"
import { begin, decide, maxTries, newCode, type OneTimeCodeState } from "#daemons/identity/factors/OneTimeCode.ts"

const key = new Uint8Array(32).fill(1)
const other = new Uint8Array(32).fill(2)
const state = begin("row", Redacted.make("012345"), key, 1_000_000)
const five = 5 * 60_000

it("codes have six uniformly distributed digits", () => {
  const codes = Array.from({ length: 10_000 }, () => Redacted.value(newCode()))
  expect(codes.every((code) => /^[0-9]{6}$/.test(code))).toBe(true)
  // Each of ten digits is expected 1,000 times per place, with a standard deviation of 30. Nine deviations are not
  // chance.
  for (let place = 0; place < 6; place++) {
    const seen = Map.groupBy(codes, (code) => code[place]!)
    expect(seen.size).toBe(10)
    for (const some of seen.values()) expect(Math.abs(some.length - 1_000)).toBeLessThan(270)
  }
  expect(String(newCode())).not.toMatch(/[0-9]/)
})

it("the correct code is accepted until it expires", () => {
  expect(state).toMatchObject({ id: "row", tries: 0, expiresAt: 1_000_000 + five })
  expect(decide(state, "012345", [key], 1_000_000)).toEqual({ _tag: "Accepted" })
  expect(decide(state, " 012 345 ", [other, key], 1_000_000 + five - 1)).toEqual({ _tag: "Accepted" })
  expect(decide(state, "012345", [key], 1_000_000 + five)).toEqual({ _tag: "Refused", reason: "Expired", tries: 0 })
})

it("after five wrong codes the correct code is refused", () => {
  let now = state
  for (let tries = 1; tries <= maxTries; tries++) {
    const decision = decide(now, "543210", [key], 1_000_000)
    expect(decision).toEqual({ _tag: "Refused", reason: "Wrong", tries })
    now = { ...now, tries }
    if (tries < maxTries) expect(decide(now, "012345", [key], 1_000_000)).toEqual({ _tag: "Accepted" })
  }
  expect(maxTries).toBe(5)
  expect(decide(now, "012345", [key], 1_000_000)).toEqual({ _tag: "Refused", reason: "Exhausted", tries: 5 })
})

it("the stored hash depends on the key and on the id of its row", () => {
  const code = Redacted.make("012345")
  expect(begin("row", code, other, 0).hash).not.toEqual(state.hash)
  expect(begin("other", code, key, 0).hash).not.toEqual(state.hash)
  expect(decide(state, "012345", [other], 1_000_000)).toMatchObject({ reason: "Wrong" })
  expect(decide({ ...state, id: "other" }, "012345", [key], 1_000_000)).toMatchObject({ reason: "Wrong" })
  expect(decide({ ...state, hash: new Uint8Array(3) }, "012345", [key], 1_000_000)).toMatchObject({ reason: "Wrong" })
})

it("only the correct code is accepted, and the number of tries never decreases", () => {
  const states: fc.Arbitrary<OneTimeCodeState> = fc.record({
    id: fc.constant("row"),
    hash: fc.constant(state.hash),
    expiresAt: fc.nat(),
    tries: fc.nat({ max: 7 })
  })
  fc.assert(
    fc.property(states, fc.oneof(fc.string(), fc.constant("012345")), fc.nat(), (some, typed, now) => {
      const decision = decide(some, typed, [key], now)
      if (decision._tag === "Accepted")
        expect([typed, some.tries < 5, now < some.expiresAt]).toEqual(["012345", true, true])
      else expect(decision.tries).toBeGreaterThanOrEqual(some.tries)
    })
  )
})
