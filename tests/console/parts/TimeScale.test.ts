import { assert, describe, it } from "vitest"
import { place, scaleOf, ticks } from "../../../console/parts/TimeScale.ts"

describe("TimeScale", () => {
  it("goes from the first moment to the last, with air behind it", () => {
    const scale = scaleOf([5_000, 1_000, 11_000])
    assert.strictEqual(scale.from, 1_000)
    assert.isAbove(scale.to, 11_000)
    assert.strictEqual(place(scale, 1_000), 0)
    assert.isBelow(place(scale, 11_000), 100)
    assert.strictEqual(place(scale, 0), 0)
    assert.strictEqual(place(scale, 99_000), 100)
  })

  it("has a length where all happened at once", () => {
    const scale = scaleOf([7, 7])
    assert.strictEqual(place(scale, 7), 0)
    assert.isAbove(scale.to, scale.from)
  })

  it("has ticks at lengths people count in, the beginning first, never more than there is place for", () => {
    assert.deepStrictEqual(ticks({ from: 1_000, to: 11_500 }, 6), [0, 5_000, 10_000])
    assert.deepStrictEqual(ticks({ from: 0, to: 3 * 3_600_000 }, 6), [0, 3_600_000, 7_200_000, 10_800_000])
    for (const length of [1, 99, 1_234, 60_000, 86_400_000, 4e10, 9e12]) {
      const all = ticks({ from: 5, to: 5 + length }, 6)
      assert.isAtMost(all.length, 6)
      assert.strictEqual(all[0], 0)
      assert.isAtMost(all.at(-1)!, length)
    }
  })
})
