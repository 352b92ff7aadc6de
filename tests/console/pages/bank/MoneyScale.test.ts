import { assert, describe, it } from "vitest"
import { axisOf, heightAt, labelled, linesOf, matchedShare } from "../../../../console/pages/bank/MoneyScale.ts"

const day = (came: number, went: number) => ({ day: "2026-11-26", in: came, out: went, transactions: 1, matched: 0 })

describe("MoneyScale", () => {
  it("has round steps that hold the highest bars in both directions", () => {
    assert.deepStrictEqual(axisOf([day(1234, 0), day(0, 310)]), { step: 500, top: 1500, bottom: -500 })
    assert.deepStrictEqual(axisOf([day(0.4, 0)]), { step: 1, top: 1, bottom: 0 })
    assert.deepStrictEqual(axisOf([]), { step: 1, top: 1, bottom: 0 })
    assert.deepStrictEqual(linesOf({ step: 500, top: 1500, bottom: -500 }), [-500, 0, 500, 1000, 1500])
    for (const [came, went] of [
      [7, 900_000],
      [123_456, 99],
      [0, 3]
    ] as const) {
      const axis = axisOf([day(came, went)])
      assert.isAtLeast(axis.top, came)
      assert.isAtMost(axis.bottom, -went)
      assert.isAtMost(linesOf(axis).length, 9)
    }
  })

  it("places values between the top and the bottom", () => {
    const axis = { step: 500, top: 1500, bottom: -500 }
    assert.strictEqual(heightAt(axis, 1500, 200), 0)
    assert.strictEqual(heightAt(axis, 0, 200), 150)
    assert.strictEqual(heightAt(axis, -500, 200), 200)
  })

  it("labels as many days as have room, the last one always", () => {
    assert.deepStrictEqual(labelled(5, 10), [0, 1, 2, 3, 4])
    assert.deepStrictEqual(labelled(30, 4), [5, 13, 21, 29])
    assert.deepStrictEqual(labelled(3, 0.5), [2])
  })

  it("has no share of a day without transactions", () => {
    assert.strictEqual(matchedShare({ matched: 0, transactions: 0 }), undefined)
    assert.strictEqual(matchedShare({ matched: 1, transactions: 4 }), 0.25)
  })
})
