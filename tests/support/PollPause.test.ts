import { expect, it } from "vitest"
import { pollPause } from "./PollPause.ts"

it("grows with the time waited, within its bounds", () => {
  expect([0, 300, 1_000, 1_500, 10_000, 300_000].map(pollPause)).toEqual([20, 20, 50, 75, 100, 100])
})
