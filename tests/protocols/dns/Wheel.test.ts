import { afterEach, expect, it, vi } from "vitest"
import { Wheel } from "#protocols/dns/Wheel.ts"

afterEach(() => {
  vi.useRealTimers()
})

it("calls each at its time or just after, never before, and none that was called off", () => {
  vi.useFakeTimers()
  const came = new Map<number, number>()
  const begun = performance.now()
  const wheel = new Wheel<number>((wait) => came.set(wait, performance.now() - begun))
  const waits = [0, 1, 15, 16, 17, 400, 401, 1000, 5000, 8191, 8192, 9000, 20_000]
  const tickets = waits.map((wait) => wheel.set(begun + wait, wait))
  tickets[5]!.item = undefined
  vi.advanceTimersByTime(30_000)
  expect([...came.keys()].sort((a, b) => a - b)).toEqual(waits.filter((wait) => wait !== 400))
  for (const [wait, at] of came) {
    expect(at).toBeGreaterThanOrEqual(wait)
    expect(at).toBeLessThanOrEqual(wait + 48)
  }
  // An idle wheel has no timer, and can be used again.
  expect(vi.getTimerCount()).toBe(0)
  wheel.set(performance.now() + 100, 7)
  vi.advanceTimersByTime(200)
  expect(came.has(7)).toBe(true)
  expect(vi.getTimerCount()).toBe(0)
})
