import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Booking, pairs } from "#daemons/bank-fetcher/bank-store/MoveMatch.ts"

const booking = (id: string, parts: Partial<Booking> = {}): Booking => ({
  id,
  amount: 25_050,
  currency: "EUR",
  booked_on: "2026-01-06",
  bank_reference: null,
  end_to_end_id: null,
  counter_iban: null,
  text: "",
  ...parts
})

const found = (replaced: ReadonlyArray<Booking>, replacing: ReadonlyArray<Booking>) =>
  pairs(replaced, replacing).map(({ old, new: id }) => `${old}>${id}`)

describe("pairs", () => {
  const other = { counter_iban: "DE1", text: "RE 42" }
  it.each([
    ["equal twins in their order", [booking("a"), booking("b")].map((one) => ({ ...one, ...other })), ["a>1", "b>2"]],
    ["another amount is no pair", [booking("a", { ...other, amount: 1 })], []],
    ["another currency is no pair", [booking("a", { ...other, currency: "USD" })], []],
    ["a text that the bank completed", [booking("a", { ...other, text: "RE 42 Kd 7" })], ["a>1"]],
    ["blanks do not count", [booking("a", { ...other, text: "re42" })], ["a>1"]],
    ["another day within a weekend", [booking("a", { ...other, booked_on: "2026-01-09" })], ["a>1"]],
    ["another day far away is no pair", [booking("a", { ...other, booked_on: "2026-01-12" })], []]
  ] as const)("%s", (_, replaced, expected) =>
    expect(found(replaced, [booking("1", other), booking("2", other)])).toEqual(expected)
  )

  it("prefers the bank's reference to the order", () => {
    const [first, second] = [
      booking("1", { bank_reference: "X", ...other }),
      booking("2", { bank_reference: "Y", ...other })
    ]
    expect(found([booking("a", { bank_reference: "Y", ...other }), booking("b", other)], [first, second])).toEqual([
      "a>2",
      "b>1"
    ])
  })

  it("pairs a booking without any reference only when it is the only one of its amount", () => {
    const changed = booking("1", { text: "CARD 4711 BERLIN" })
    expect(found([booking("a", { text: "reserved" })], [changed])).toEqual(["a>1"])
    expect(found([booking("a", { text: "reserved" })], [changed, booking("2", { text: "CARD 4712" })])).toEqual([])
  })

  it("is one to one, keeps amounts, and loses no booking that comes again unchanged", () => {
    const any = fc.record({
      amount: fc.integer({ min: 1, max: 3 }),
      bank_reference: fc.constantFrom(null, "X", "Y"),
      end_to_end_id: fc.constantFrom(null, "E"),
      counter_iban: fc.constantFrom(null, "DE1"),
      text: fc.constantFrom("", "a", "b")
    })
    fc.assert(
      fc.property(fc.array(any, { maxLength: 12 }), fc.array(any, { maxLength: 12 }), (olds, more) => {
        const replaced = olds.map((one, at) => booking(`o${at}`, one))
        const replacing = [...olds, ...more].map((one, at) => booking(`n${at}`, one))
        const all = pairs(replaced, replacing)
        expect(new Set(all.map(({ old }) => old)).size).toBe(all.length)
        expect(new Set(all.map((pair) => pair.new)).size).toBe(all.length)
        const amount = new Map([...replaced, ...replacing].map((one) => [one.id, one.amount]))
        for (const pair of all) expect(amount.get(pair.old)).toBe(amount.get(pair.new))
        expect(pairs(replaced, replacing)).toEqual(all)
        // Bookings with any reference are found again.
        const named = replaced.filter((one) => one.counter_iban !== null && one.bank_reference !== null)
        expect(named.filter(({ id }) => !all.some(({ old }) => old === id))).toEqual([])
      }),
      { numRuns: 300 }
    )
  })
})
