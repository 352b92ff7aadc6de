import { assert, describe, it } from "vitest"
import { isPattern, seriesOf } from "../../../../console/pages/events/EventTypes.ts"
import { whenOf } from "../../../../console/pages/events/When.ts"

describe("the event log", () => {
  it("gives the most frequent types a colour each and adds up the others", () => {
    const series = seriesOf(
      [
        { at: "a", counts: { one: 1, two: 5, three: 3, four: 1, five: 1 } },
        { at: "b", counts: { one: 9, six: 1, seven: 1, eight: 2 } }
      ],
      "others"
    )
    assert.deepStrictEqual(
      series.map(({ label }) => label),
      ["one", "two", "three", "eight", "five", "others"]
    )
    assert.deepStrictEqual(
      series.map(({ values }) => values),
      [
        [1, 9],
        [5, 0],
        [3, 0],
        [0, 2],
        [1, 0],
        [1, 2]
      ]
    )
    assert.strictEqual(new Set(series.map(({ colour }) => colour)).size, 6)
  })

  it("calls no single type the others", () => {
    const six = Object.fromEntries(["a", "b", "c", "d", "e", "f"].map((type) => [type, 1]))
    assert.deepStrictEqual(
      seriesOf([{ at: "a", counts: { ...six, zero: 0 } }], "others").map(({ label }) => label),
      Object.keys(six)
    )
  })

  it("knows a pattern", () => {
    for (const good of ["*", "order.created", "order.*", "mail.new_message", "system"])
      assert.isTrue(isPattern(good), good)
    for (const bad of ["", "**", "*.created", "order.", ".order", "order.*.x", "a b", "order*", "Order.paid"])
      assert.isFalse(isPattern(bad), bad)
  })

  it("takes a stretch of one's own, a day where no beginning is said", () => {
    const now = Date.parse("2026-03-01T12:00:00.000Z")
    const iso = (text: string) => new Date(text).toISOString()
    assert.deepStrictEqual(whenOf({ range: "custom", since: "2026-02-01T08:00", until: "2026-02-02T08:00" }, now), {
      since: iso("2026-02-01T08:00"),
      until: iso("2026-02-02T08:00"),
      buckets: 60
    })
    assert.deepStrictEqual(whenOf({ range: "custom", since: "", until: "" }, now), {
      since: "2026-02-28T12:00:00.000Z",
      until: "2026-03-01T12:00:00.000Z",
      buckets: 60
    })
    assert.strictEqual(
      whenOf({ range: "hour", since: "2026-02-01T08:00", until: "" }, now).until,
      "2026-03-01T12:01:00.000Z"
    )
  })
})
