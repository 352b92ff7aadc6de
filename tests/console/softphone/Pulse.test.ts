import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { answerWithin, askEvery, pulse } from "../../../console/softphone/Pulse.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const place = () => {
  const listeners = new Map<string, () => void>()
  const told = { asked: 0, dead: 0 }
  const end = pulse(
    {
      send: (text) => (expect(text).toBe("\r\n\r\n"), told.asked++),
      addEventListener: (type, listener) => listeners.set(type, listener)
    },
    () => told.dead++
  )
  return { told, end, hear: () => listeners.get("message")!(), close: () => listeners.get("close")!() }
}

it("calls a socket dead, once, on which nothing is heard after it was asked", () => {
  const { told } = place()
  vi.advanceTimersByTime(askEvery + answerWithin - 1)
  expect(told).toEqual({ asked: 1, dead: 0 })
  vi.advanceTimersByTime(1)
  expect(told).toEqual({ asked: 1, dead: 1 })
  vi.advanceTimersByTime(10 * askEvery)
  expect(told).toEqual({ asked: 1, dead: 1 })
})

it("leaves one alone that says anything, and asks again", () => {
  const { hear, told } = place()
  for (let turn = 0; turn < 5; turn++) {
    vi.advanceTimersByTime(askEvery)
    hear()
  }
  vi.advanceTimersByTime(answerWithin)
  expect(told).toEqual({ asked: 5, dead: 0 })
})

it("ends with the socket, and when it is told to", () => {
  for (const way of ["close", "end"] as const) {
    const one = place()
    vi.advanceTimersByTime(askEvery)
    one[way]()
    vi.advanceTimersByTime(10 * askEvery)
    expect(one.told).toEqual({ asked: 1, dead: 0 })
  }
})
