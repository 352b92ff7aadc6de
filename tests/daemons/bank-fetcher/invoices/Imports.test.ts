import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { amountOf, dayOf } from "#daemons/bank-fetcher/invoices/imports/Cells.ts"
import type { TestSuite } from "#support/TestSuite.ts"
import { untilWithin } from "#support/Within.ts"
import { callsOf, emitCustomer, startLedger } from "./Ledger.ts"

it("amounts and days of spreadsheets are read, and unclear ones are not guessed", () => {
  for (const [text, amount] of [
    ["1234,50", "1234.50"],
    ["1.234,50", "1234.50"],
    ["1,234.50", "1234.50"],
    ["1.234.567,5", "1234567.5"],
    ["1.234.567", "1234567"],
    ["-20,00 €", "-20.00"],
    ["\u221220,00 EUR", "-20.00"],
    ["+5", "5"],
    ["1 234,50", "1234.50"],
    ["0.125", "0.125"],
    ["1.234", undefined],
    ["1,234", undefined],
    ["12.34,50", undefined],
    ["1,2,3", undefined],
    ["1,234,50", undefined],
    ["ten", undefined],
    ["1e5", undefined],
    ["", undefined]
  ] as const)
    expect([text, amountOf(text)]).toEqual([text, amount])
  expect(["31.01.2030", "1.2.2030", "2030-01-31", "30.02.2030", "01/31/2030"].map(dayOf)).toEqual([
    "2030-01-31",
    "2030-02-01",
    "2030-01-31",
    undefined,
    undefined
  ])
})

/** Sends a file and waits until its import has ended. */
const imported = Effect.fnUntraced(function* (suite: TestSuite, kind: string, file: string) {
  const { get, send } = callsOf(suite, 7)
  const { json, status, text } = yield* send("POST", `/${kind}/imports`, file, { "content-type": "text/csv" })
  if (status !== 202) return yield* Effect.die(new Error(text))
  let last: any
  yield* untilWithin(
    60,
    "the import has ended",
    Effect.map(get(`/${kind}/imports/${json.id}`), (progress) => {
      last = progress
      return progress.state === "finished"
    })
  )
  return last
})

it.live("invoices and payments are imported, and wrong rows leave nothing", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* startLedger()
      const { get, send } = callsOf(suite, 7)
      yield* emitCustomer(suite, { customer_id: 5, tenant_id: 7, number: "K-17" })
      const file = [
        "\ufeffNumber;Amount;issued_on;customer_number;due_on;discount_until;discount_amount;external_id;unused",
        'RE-1;"1.190,00";01.01.2030;K-17;31.01.2030;08.01.2030;23,80;c1;x',
        "RE-2;50,00;2030-01-01;;;;;;",
        "GS-1;-20,00;2030-01-01;;;;;;",
        "RE-3;zehn;2030-01-01;;;;;;",
        "RE-4;1.234;2030-01-01;;;;;;",
        "RE-5;5,00;2030-01-01;K-99;;;;;",
        "RE-6;5,00;2030-01-01;;;08.01.2030;;;",
        "RE-1;5,00;2030-01-01;;;;;c2;",
        "RE-2;50,00;2030-01-01;;;;;;",
        "RE-2;55,00;2030-01-01;;;;;;"
      ].join("\r\n")
      const invoices = yield* imported(suite, "invoices", file)
      expect(invoices.rows).toEqual({ total: 10, done: 10, created: 3, changed: 1, unchanged: 1, failed: 5 })
      expect(invoices.errors.map(({ line, message }: any) => `${line} ${message}`)).toEqual([
        "5 amount: must be a decimal number such as 250.50 or -12.50",
        "6 amount: must be a decimal number such as 250.50 or -12.50",
        "7 customer_number: no customer has the number K-99",
        "8 discount_until: a cash discount needs both its day and its amount",
        "9 number: another invoice has this number"
      ])
      const first = (yield* get("/invoices?number=RE-1")).items[0]
      expect(first).toMatchObject({
        amount: "1190.00",
        customer_id: 5,
        due_on: "2030-01-31",
        external_id: "c1",
        discount: { until: "2030-01-08", amount: "23.80" }
      })

      const payments = yield* imported(
        suite,
        "payments",
        [
          "external_id,amount,paid_on,invoice_number,note",
          'p1,"1166,20",05.01.2030,RE-1,bank transfer',
          "p2,40.00,2030-01-09,RE-2|GS-1,",
          "p3,5.00,2030-01-09,RE-77,",
          "p1,1166.20,2030-01-05,RE-1,again",
          "p1,1.00,2030-01-05,RE-1,",
          "p4,9.00,2030-01-09,,advance"
        ].join("\n")
      )
      expect(payments.rows).toEqual({ total: 6, done: 6, created: 3, changed: 0, unchanged: 1, failed: 2 })
      expect(payments.errors.map(({ message }: any) => message)).toEqual([
        "invoice_numbers: an invoice does not exist",
        "external_id: the recorded payment has another amount, day, customer or currency"
      ])
      expect((yield* get("/invoices?number=RE-1")).items[0]).toMatchObject({ status: "paid", discounted: "23.80" })
      expect((yield* get("/invoices?number=RE-2")).items[0]).toMatchObject({ status: "paid" })
      const told = yield* suite.sql`select 1 from core.event where type = 'payment.received'`
      expect(told).toHaveLength(3)

      // RE-2 is paid with 55.00, so that 50.00 is too little.
      const again = yield* imported(suite, "invoices", file)
      expect(again.rows).toMatchObject({ created: 0, changed: 0, unchanged: 3, failed: 7 })
      expect(again.errors[0].message).toBe("amount: payments settled more than this, or in another currency")
      for (const [kind, body] of [
        ["invoices", "number;amount\nRE-1;5"],
        ["payments", "amount;paid_on\n5;2030-01-01"],
        ["invoices", ""]
      ] as const) {
        const { json, status } = yield* send("POST", `/${kind}/imports`, body, { "content-type": "text/csv" })
        expect([body, status, json.errors[0].field]).toEqual([body, 422, "payload"])
      }
      const theirs = yield* callsOf(suite, 8).send("GET", `/invoices/imports/${invoices.id}`)
      expect(theirs.status).toBe(404)
    })
  )
)
