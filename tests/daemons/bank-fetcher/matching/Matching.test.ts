import { describe, expect, it } from "vitest"
import { combined, decide, dueIn } from "#daemons/bank-fetcher/matching/Matching.ts"
import * as MatchIndex from "#daemons/bank-fetcher/matching/MatchIndex.ts"
import type { OpenInvoice, Payer, Transaction } from "#daemons/bank-fetcher/matching/Model.ts"

const ann: Payer = { customerId: 1, name: "Ann Example", ibans: ["DE02120300000000202051"] }
const bob: Payer = { customerId: 2, name: "Bob Sample", ibans: ["DE02500105170137075030"] }

const invoice = (number: string, open: number, more: Partial<OpenInvoice> = {}): OpenInvoice => ({
  id: number,
  number,
  customerId: 1,
  open,
  currency: "EUR",
  issuedOn: "2026-01-05",
  dueOn: "2026-01-19",
  discount: null,
  ...more
})

const transaction = (amount: number, text: string, more: Partial<Transaction> = {}): Transaction => ({
  amount,
  currency: "EUR",
  bookedOn: "2026-01-16",
  text,
  endToEndId: null,
  creditorReference: null,
  counterIban: null,
  counterName: null,
  ...more
})

/** Outcome, confidence, allocations and reasons of the first suggestion. */
const decided = (
  paid: Transaction,
  invoices: ReadonlyArray<OpenInvoice>,
  payers: ReadonlyArray<Payer> = [ann, bob]
) => {
  const { outcome, suggestions } = decide(paid, MatchIndex.make(invoices, payers))
  const [first] = suggestions
  return [
    outcome,
    first?.confidence,
    first?.allocations.map(({ amount, invoice }) => `${invoice.number} ${amount}`).join(", "),
    first?.reasons.map(({ code }) => code).join(" ")
  ]
}

const four = invoice("RE-2026-0004", 25_050)
const five = invoice("RE-2026-0005", 9_900)
const ofBob = invoice("RE-2026-0006", 25_050, { customerId: 2 })
const stranger = { counterIban: "FR7630006000011234567890189" }
const fromAnn = { counterIban: "DE02 1203 0000 0000 2020 51" }

describe("each strategy alone has the confidence of the document", () => {
  it.each([
    ["the number in the text", transaction(25_050, "Rechnung RE-2026-0004"), "auto", 100, "number amount"],
    [
      "the number as end-to-end id",
      transaction(25_050, "", { endToEndId: "RE-2026-0004" }),
      "auto",
      100,
      "number amount"
    ],
    [
      "the creditor reference",
      transaction(25_050, "", { creditorReference: "RF18RE20260004" }),
      "auto",
      100,
      "number amount"
    ],
    ["amount and date", transaction(25_050, "thanks"), "suggested", 70, "amount due"],
    [
      "the IBAN and the amount",
      transaction(25_050, "", { ...fromAnn, bookedOn: "2026-06-01" }),
      "suggested",
      60,
      "amount counter_iban"
    ],
    ["a damaged number", transaction(7, "RE-2026-004"), "suggested", 40, "number_damaged"],
    ["the last digits of the number", transaction(7, "Rechnung 0004"), "suggested", 40, "number_damaged"],
    ["the sender", transaction(7, "", fromAnn), "suggested", 20, "counter_iban"],
    ["nothing", transaction(7, "thanks"), "none", undefined, undefined]
  ])("%s", (_, paid, outcome, confidence, reasons) => {
    const [seen, percent, , why] = decided(paid, [four])
    expect([seen, percent, why]).toEqual([outcome, confidence, reasons])
  })

  it.each([
    [["amount_date", "counter_iban"], 88],
    [["amount_date", "fuzzy"], 82],
    [["counter_iban", "fuzzy"], 76],
    [["amount_date", "counter_iban", "fuzzy"], 93]
  ] as const)("%j together have %d", (strategies, confidence) => {
    expect(combined(strategies)).toBe(confidence)
  })
})

describe("amounts", () => {
  it.each([
    [
      "part of the invoice",
      transaction(10_000, "RE-2026-0004"),
      ["auto", 100, "RE-2026-0004 10000", "number amount_less"]
    ],
    [
      "more than the invoice",
      transaction(30_000, "RE-2026-0004"),
      ["auto", 100, "RE-2026-0004 25050", "number amount_more"]
    ],
    [
      "two invoices by their numbers",
      transaction(34_950, "RE-2026-0004 RE-2026-0005"),
      ["auto", 100, "RE-2026-0004 25050, RE-2026-0005 9900", "number number amount_of_all"]
    ],
    [
      "two invoices, one of them not named",
      transaction(34_950, "RE-2026-0004"),
      ["suggested", 80, "RE-2026-0004 25050, RE-2026-0005 9900", "number amount_of_all"]
    ],
    [
      "one of two named invoices",
      transaction(9_900, "RE-2026-0004 RE-2026-0005"),
      ["auto", 100, "RE-2026-0005 9900", "number amount"]
    ],
    [
      "neither of two named invoices",
      transaction(1_234, "RE-2026-0004 RE-2026-0005"),
      ["suggested", 80, "RE-2026-0004 1234", "number amount_less not_unique"]
    ]
  ])("%s", (_, paid, expected) => {
    expect(decided(paid, [four, five])).toEqual(expected)
  })

  it("takes the cash discount within its days only", () => {
    const reduced = invoice("RE-2026-0009", 10_000, { discount: { until: "2026-01-12", amount: 200 } })
    expect(decided(transaction(9_800, "RE-2026-0009", { bookedOn: "2026-01-12" }), [reduced])).toEqual([
      "auto",
      100,
      "RE-2026-0009 10000",
      "number amount_less_discount"
    ])
    expect(decided(transaction(9_800, "RE-2026-0009", { bookedOn: "2026-01-13" }), [reduced])).toEqual([
      "auto",
      100,
      "RE-2026-0009 9800",
      "number amount_less"
    ])
  })

  it("settles a credit note by outgoing money only", () => {
    const credit = invoice("GS-2026-0001", -5_000)
    expect(decided(transaction(-5_000, "GS-2026-0001"), [credit])[0]).toBe("auto")
    expect(decided(transaction(5_000, "GS-2026-0001"), [credit])[0]).toBe("none")
    expect(decided(transaction(20_050, "RE-2026-0004 GS-2026-0001"), [four, credit])).toEqual([
      "auto",
      100,
      "RE-2026-0004 25050, GS-2026-0001 -5000",
      "number number amount_of_all"
    ])
  })
})

describe("a person decides", () => {
  it.each([
    ["another currency", transaction(25_050, "RE-2026-0004", { currency: "CHF" }), [four], "other_currency"],
    [
      "a number whose customer did not pay, and not in full",
      transaction(9_000, "RE-2026-0004", { counterIban: bob.ibans[0]! }),
      [four],
      "iban_of_other_customer"
    ],
    [
      "a payer who has an invoice of this amount",
      transaction(25_050, "RE-2026-0004", { counterIban: bob.ibans[0]! }),
      [four, ofBob],
      "iban_of_other_customer"
    ],
    [
      "a number of which one digit leads to a better fit",
      transaction(25_050, "RE-2026-0005", stranger),
      [four, five],
      "similar_number"
    ]
  ])("about %s", (_, paid, invoices, reason) => {
    const { outcome, suggestions } = decide(paid, MatchIndex.make(invoices, [ann, bob]))
    expect(outcome).toBe("suggested")
    expect(suggestions.flatMap(({ reasons }) => reasons.map(({ code }) => code))).toContain(reason)
  })

  it("about two equal invoices of one customer", () => {
    const again = invoice("RE-2026-0007", 25_050)
    const [outcome, confidence, , reasons] = decided(transaction(25_050, "", fromAnn), [four, again])
    expect([outcome, confidence, reasons]).toEqual(["suggested", 84, "amount due counter_iban not_unique"])
    expect(decided(transaction(25_050, "", fromAnn), [four, ofBob])).toEqual([
      "auto",
      88,
      "RE-2026-0004 25050",
      "amount due counter_iban"
    ])
  })

  it("about customers who share an IBAN", () => {
    const shared = { ...bob, ibans: ann.ibans }
    expect(decided(transaction(25_050, "", fromAnn), [four, ofBob], [ann, shared])[0]).toBe("suggested")
  })
})

it("shows ten suggestions at most, the sender's first", () => {
  const many = Array.from({ length: 30 }, (_, at) => invoice(`RE-2026-1${at}`, 500, { customerId: at === 29 ? 1 : 2 }))
  const { suggestions } = decide(
    transaction(500, "", { counterName: "ANN EXAMPLE" }),
    MatchIndex.make(many, [ann, bob])
  )
  expect(suggestions).toHaveLength(10)
  expect(suggestions[0]!.allocations[0]!.invoice.number).toBe("RE-2026-129")
})

it("accepts a payment from three days before the invoice to thirty days after it was due", () => {
  expect(["2026-01-01", "2026-01-02", "2026-01-19", "2026-02-18", "2026-02-19"].map((day) => dueIn(four, day))).toEqual(
    [undefined, 17, 0, -30, undefined]
  )
})
