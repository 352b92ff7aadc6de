import { expect, it } from "vitest"
import { repeatsWithin } from "#daemons/comm-dispatcher/channels/call/CallOptions.ts"

it("a message is repeated as often as the longest call allows, but is heard once at least", () => {
  const repeats = (longest: number, messageMs: number) =>
    repeatsWithin(longest, { pauseMs: 4_000, messageMs, repeat: 3 })
  // After the pause of 4 s, 20 s are left of 24 s.
  expect([repeats(24, 10_000), repeats(24, 10_001)]).toEqual([2, 1])
  expect([repeats(34, 10_000), repeats(300, 10_000)]).toEqual([3, 3])
  expect([repeats(24, 60_000), repeats(3, 10_000)]).toEqual([1, 1])
})
