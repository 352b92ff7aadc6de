import { assert, describe, it } from "vitest"
import {
  allocationsOf,
  isForeign,
  partMinor,
  problemOf,
  proposal,
  restOf,
  type Split
} from "../../../../console/pages/bank/transactions/Split.ts"

const invoice = (id: string, open: string, currency = "EUR") => ({ id, number: `RE-${id}`, open, currency })

const split = (
  amount: string,
  ...parts: ReadonlyArray<readonly [ReturnType<typeof invoice> | undefined, string]>
): Split => ({ amount, currency: "EUR", parts: parts.map(([invoice, amount], key) => ({ key, invoice, amount })) })

describe("Split", () => {
  it("shows what is left of the transaction", () => {
    const two = split("250.50", [invoice("1", "100.00"), "100"], [invoice("2", "200.00"), "120,25"])
    assert.strictEqual(restOf(two), 3025)
    assert.strictEqual(problemOf(two), undefined)
    assert.deepStrictEqual(allocationsOf(two), [
      { invoice_id: "1", amount: "100.00" },
      { invoice_id: "2", amount: "120.25" }
    ])
    assert.strictEqual(restOf(split("250.50", [undefined, "1"])), undefined)
  })

  it("takes the sign from the invoice, so that a credit note offsets", () => {
    const offset = split("80.00", [invoice("1", "100.00"), "100"], [invoice("2", "-20.00"), "20"])
    assert.strictEqual(restOf(offset), 0)
    assert.deepStrictEqual(
      allocationsOf(offset).map(({ amount }) => amount),
      ["100.00", "-20.00"]
    )
    const refund = split("-20.00", [invoice("2", "-20.00"), "-20"])
    assert.strictEqual(restOf(refund), 0)
    assert.strictEqual(partMinor(refund.parts[0]!), -2000)
  })

  it("names the first problem", () => {
    const one = invoice("1", "100.00")
    assert.strictEqual(problemOf(split("50.00")), "no_part")
    assert.strictEqual(problemOf(split("50.00", [undefined, "50"])), "no_invoice")
    assert.strictEqual(problemOf(split("50.00", [one, "20"], [one, "30"])), "twice")
    for (const amount of ["", "0", "x"]) assert.strictEqual(problemOf(split("50.00", [one, amount])), "bad_amount")
    assert.strictEqual(problemOf(split("150.00", [one, "100.01"])), "more_than_open")
    assert.strictEqual(problemOf(split("50.00", [one, "50.01"])), "too_much")
    assert.strictEqual(problemOf(split("50.00", [one, "20"], [invoice("2", "9.00", "USD"), "9"])), "mixed")
  })

  it("proposes what is open, at most the rest, and all of what offsets", () => {
    assert.strictEqual(proposal(invoice("1", "100.00"), 25050, "EUR"), "100.00")
    assert.strictEqual(proposal(invoice("1", "100.00"), 3000, "EUR"), "30.00")
    assert.strictEqual(proposal(invoice("1", "-20.00"), 3000, "EUR"), "20.00")
    assert.strictEqual(proposal(invoice("1", "100.00", "USD"), 3000, "EUR"), "100.00")
    assert.strictEqual(proposal(invoice("1", "100.00"), undefined, "EUR"), "100.00")
  })

  it("has no rest in another currency, which needs a confirmation", () => {
    const foreign = split("92.00", [invoice("1", "100.00", "USD"), "100"])
    assert.isTrue(isForeign(foreign))
    assert.strictEqual(restOf(foreign), undefined)
    assert.strictEqual(problemOf(foreign), undefined)
    assert.isFalse(isForeign(split("92.00", [invoice("1", "100.00"), "92"])))
  })
})
