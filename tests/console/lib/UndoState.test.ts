import { describe, expect, it } from "vitest"
import {
  lapsed,
  next,
  none,
  type UndoEvent,
  type UndoState,
  undoneSeconds,
  undoSeconds
} from "../../../console/lib/UndoState.ts"
import { Problem } from "../../../console/lib/Problem.ts"

const offer = (name: string) => ({ done: () => name, undo: async () => undefined })
const one = offer("one")
const two = offer("two")
const after = (...events: ReadonlyArray<UndoEvent>): UndoState => events.reduce(next, none)
const seconds = (count: number, held = false): ReadonlyArray<UndoEvent> =>
  Array.from({ length: count }, () => ({ did: "second", held }) as const)

describe("the offer of an undo", () => {
  it("ends after its seconds, which stand still while it is held", () => {
    const begun: UndoEvent = { did: "offer", offer: one }
    expect(after(begun, ...seconds(undoSeconds - 1))).toEqual({ is: "offered", offer: one, left: 1 })
    expect(after(begun, ...seconds(undoSeconds))).toBe(none)
    expect(after(begun, ...seconds(100, true))).toEqual({ is: "offered", offer: one, left: undoSeconds })
  })

  it("is one at a time: a later one replaces it, also while it is undone", () => {
    const replaced = after({ did: "offer", offer: one }, ...seconds(3), { did: "offer", offer: two })
    expect(replaced).toEqual({ is: "offered", offer: two, left: undoSeconds })
    const late = after({ did: "offer", offer: one }, { did: "press" }, { did: "offer", offer: two })
    expect(next(late, { did: "finish", offer: one })).toEqual({ is: "offered", offer: two, left: undoSeconds })
    const both = next(late, { did: "press" })
    expect(next(both, { did: "finish", offer: one })).toEqual({ is: "undoing", offer: two })
  })

  it("is used once, has no time while it runs, and says how it ended", () => {
    const running = after({ did: "offer", offer: one }, { did: "press" })
    expect(running).toEqual({ is: "undoing", offer: one })
    expect([{ did: "press" } as const, { did: "close" } as const, ...seconds(20)].reduce(next, running)).toBe(running)
    const well = next(running, { did: "finish", offer: one })
    expect(well).toEqual({ is: "undone", offer: one, left: undoneSeconds })
    expect(seconds(undoneSeconds).reduce(next, well)).toBe(none)
    const problem = new Problem(409, "taken", "Taken.")
    const failed = next(running, { did: "finish", offer: one, problem })
    expect(failed).toEqual({ is: "failed", offer: one, problem })
    // An error stays until it is read.
    expect(seconds(100).reduce(next, failed)).toBe(failed)
    expect(next(failed, { did: "close" })).toBe(none)
    expect(next(failed, { did: "press" })).toBe(failed)
  })

  it("lapses, so that a held back request is sent, by its time, by closing and by the next offer, not by an undo", () => {
    const offered = after({ did: "offer", offer: one })
    const then = (...events: ReadonlyArray<UndoEvent>) => {
      const states = events.reduce<ReadonlyArray<UndoState>>(
        (all, event) => [...all, next(all.at(-1)!, event)],
        [offered]
      )
      return states.slice(1).map((state, at) => lapsed(states[at]!, state))
    }
    const none = undefined
    expect(then(...seconds(undoSeconds))).toEqual([...Array<undefined>(undoSeconds - 1).fill(none), one])
    expect(then({ did: "close" }, { did: "close" })).toEqual([one, none])
    expect(then({ did: "offer", offer: two }, { did: "close" })).toEqual([one, two])
    expect(then({ did: "press" }, { did: "finish", offer: one }, { did: "close" })).toEqual([none, none, none])
  })

  it("does not begin by pressing what is not offered", () => {
    for (const event of [{ did: "press" }, { did: "finish", offer: one }, { did: "close" }, ...seconds(1)] as const)
      expect(next(none, event)).toBe(none)
  })
})
