import { expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { memory, remembering } from "#core/lane/Remembering.ts"

it("has a limited size, returns only set values, and keeps the newest half", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 20 }),
      fc.array(fc.tuple(fc.integer({ min: 0, max: 40 }), fc.boolean()), { maxLength: 200 }),
      (max, steps) => {
        const held = memory<number, number>(max)
        const model = new Map<number, number>()
        const recent: Array<number> = []
        steps.forEach(([key, writes], at) => {
          if (!writes) {
            const found = held.get(key)
            expect(found === undefined || found === model.get(key)).toBe(true)
            return
          }
          held.set(key, at)
          model.set(key, at)
          recent.push(key)
        })
        const last = new Set(recent.slice(-Math.max(1, Math.floor(max / 2))))
        for (const key of last) expect(held.get(key)).toBe(model.get(key))
        expect([...model.keys()].filter((key) => memoryHolds(held, key)).length).toBeLessThanOrEqual(Math.max(2, max))
      }
    )
  )
})

/** Whether the memory holds the key. Reading also keeps an entry alive, so tests read last. */
const memoryHolds = (held: ReturnType<typeof memory<number, number>>, key: number) => held.get(key) !== undefined

it("keeps values in use, for any number of others", () => {
  const held = memory<string, number>(100)
  held.set("kept", 1)
  for (let n = 0; n < 10_000; n++) {
    held.set(`other ${n}`, n)
    if (n % 40 === 0) expect(held.get("kept")).toBe(1)
  }
  expect(held.get("other 0")).toBeUndefined()
})

it("computes a cached value once", () => {
  let computed = 0
  const double = remembering(10, (n: number) => {
    computed++
    return 2 * n
  })
  expect([double(2), double(2), double(3), computed]).toEqual([4, 4, 6, 2])
})
