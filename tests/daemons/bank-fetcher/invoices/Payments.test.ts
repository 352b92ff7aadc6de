import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { callsOf, startLedger } from "./Ledger.ts"

it.live("payments settle invoices in every combination, and undo restores them exactly", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* startLedger()
      const { get, invoice, paid, send, state } = callsOf(suite, 7)
      const undo = (id: string) => send("POST", `/payments/${id}/undo`)
      const one = yield* invoice("RE-1", "100.00")
      const two = yield* invoice("RE-2", "50.00")
      const credit = yield* invoice("GS-1", "-20.00")

      // Part, then the rest and more than that.
      const first = yield* paid("30.00", [{ invoice_id: one.id }])
      expect([first.unassigned, yield* state(one.id)]).toEqual(["0.00", ["partial", "30.00", "70.00"]])
      const second = yield* paid("75.00", [{ invoice_number: "RE-1" }])
      expect([second.unassigned, yield* state(one.id)]).toEqual(["5.00", ["paid", "100.00", "0.00"]])
      expect((yield* get(`/invoices/${one.id}`)).payments).toEqual([
        expect.objectContaining({ payment_id: first.id, amount: "30.00", source: "manual", state: "active" }),
        expect.objectContaining({ payment_id: second.id, amount: "70.00" })
      ])
      expect((yield* undo(first.id)).json.state).toBe("undone")
      expect(yield* state(one.id)).toEqual(["partial", "70.00", "30.00"])
      expect((yield* undo(first.id)).status).toBe(200)
      expect(yield* state(one.id)).toEqual(["partial", "70.00", "30.00"])
      yield* undo(second.id)
      expect(yield* state(one.id)).toEqual(["open", "0.00", "100.00"])

      // One payment for two invoices, less a credit note.
      const all = yield* paid("130.00", [{ invoice_id: one.id }, { invoice_id: two.id }, { invoice_id: credit.id }])
      expect(all.allocations.map(({ amount }: any) => amount)).toEqual(["100.00", "50.00", "-20.00"])
      expect([yield* state(two.id), yield* state(credit.id)]).toEqual([
        ["paid", "50.00", "0.00"],
        ["paid", "-20.00", "0.00"]
      ])
      yield* undo(all.id)
      expect([yield* state(two.id), yield* state(credit.id)]).toEqual([
        ["open", "0.00", "50.00"],
        ["open", "0.00", "-20.00"]
      ])

      // An offset without money, and money that goes out for a credit note.
      const offset = yield* paid("0.00", [{ invoice_id: credit.id }, { invoice_id: two.id }])
      expect([offset.allocations[1].amount, yield* state(two.id)]).toEqual(["20.00", ["partial", "20.00", "30.00"]])
      yield* undo(offset.id)
      yield* paid("-20.00", [{ invoice_id: credit.id }])
      expect(yield* state(credit.id)).toEqual(["paid", "-20.00", "0.00"])

      const told = yield* suite.sql<{ data: any; tenant_id: number }>`select data, tenant_id from core.event
        where type = 'payment.received' order by id`
      expect(told.map(({ data, tenant_id }) => [tenant_id, data.payment_id, data.amount])).toEqual([
        [7, first.id, "30.00"],
        [7, second.id, "75.00"],
        [7, all.id, "130.00"]
      ])
      expect(told[2]!.data.invoices[0]).toEqual({ invoice_id: one.id, number: "RE-1", amount: "100.00" })
      const found = (query: string) =>
        Effect.map(get(`/payments?${query}`), ({ items }) => items.map(({ amount }: any) => amount))
      for (const [query, amounts] of [
        ["state=active", ["-20.00"]],
        [`invoice_id=${two.id}&source=manual`, ["0.00", "130.00"]],
        ["unassigned=true", ["75.00"]],
        ["q=gs-1", ["-20.00", "0.00", "130.00"]],
        ["paid_from=2030-01-11", []],
        ["limit=1", ["-20.00"]]
      ] as const)
        expect([query, yield* found(query)]).toEqual([query, amounts])
    })
  )
)

it.live("a cash discount counts within its terms, and a person may grant one", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* startLedger()
      const { get, invoice, paid, state } = callsOf(suite, 7)
      const discount = { until: "2030-01-10", amount: "2.00" }
      const early = yield* invoice("RE-1", "100.00", { discount })
      const late = yield* invoice("RE-2", "100.00", { discount })
      yield* paid("98.00", [{ invoice_id: early.id }])
      expect(yield* state(early.id)).toEqual(["paid", "100.00", "0.00"])
      expect((yield* get(`/invoices/${early.id}`)).discounted).toBe("2.00")
      const short = yield* paid("98.00", [{ invoice_id: late.id }], { paid_on: "2030-01-11" })
      expect(yield* state(late.id)).toEqual(["partial", "98.00", "2.00"])
      yield* callsOf(suite, 7).send("POST", `/payments/${short.id}/undo`)
      yield* paid("97.00", [{ invoice_id: late.id, discount: "3.00" }], { paid_on: "2030-03-01" })
      expect(yield* state(late.id)).toEqual(["paid", "100.00", "0.00"])
    })
  )
)

it.live("a payment never settles more than is open, also when payments come at once", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* startLedger()
      const { invoice, pay, send, state } = callsOf(suite, 7)
      const one = yield* invoice("RE-1", "100.00")
      const two = yield* invoice("RE-2", "100.00")
      const other = yield* callsOf(suite, 8).invoice("RE-1", "100.00")
      const yen = yield* invoice("RE-3", "100", { currency: "JPY" })
      for (const [amount, allocations, reason] of [
        ["150.00", [{ invoice_id: one.id, amount: "100.01" }], "too_much"],
        ["50.00", [{ invoice_id: one.id, amount: "60.00" }], "more_than_payment"],
        ["50.00", [{ invoice_id: one.id, amount: "-1.00" }], "wrong_sign"],
        [
          "50.00",
          [
            { invoice_id: one.id, amount: "1" },
            { invoice_id: one.id, amount: "1" }
          ],
          "named_twice"
        ],
        ["50.00", [{ invoice_id: other.id }], "unknown_invoice"],
        ["50.00", [{ invoice_number: "RE-9" }], "unknown_invoice"],
        ["50.00", [{ invoice_id: yen.id }], "other_currency"],
        ["0.00", [], "nothing"]
      ] as const) {
        const { json, status } = yield* pay(amount, allocations)
        expect([reason, status, json.reason]).toEqual([reason, 409, reason])
      }
      expect((yield* pay("1.00", [{}])).json.errors[0].field).toBe("payload.allocations[0]")

      // Each names both invoices, in different order: none waits forever, and only two of them fit.
      const both = [
        { invoice_id: one.id, amount: "50.00" },
        { invoice_id: two.id, amount: "50.00" }
      ]
      const answers = yield* Effect.forEach(
        Array.from({ length: 8 }, (_, at) => (at % 2 === 0 ? both : both.toReversed())),
        (allocations) => pay("100.00", allocations),
        { concurrency: 8 }
      )
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409, 409, 409, 409, 409])
      expect([yield* state(one.id), yield* state(two.id)]).toEqual([
        ["paid", "100.00", "0.00"],
        ["paid", "100.00", "0.00"]
      ])
      const events = yield* suite.sql`select 1 from core.event where type = 'payment.received'`
      expect(events).toHaveLength(2)

      for (const [method, path, body] of [
        ["DELETE", `/invoices/${one.id}`, undefined],
        ["POST", `/invoices/${one.id}/cancel`, undefined],
        ["PATCH", `/invoices/${one.id}`, { amount: "99.99" }],
        ["PATCH", `/invoices/${one.id}`, { currency: "USD" }]
      ] as const)
        expect((yield* send(method, path, body)).json.code).toBe("invoice_settled")
      yield* send("PATCH", `/invoices/${one.id}`, { amount: "120.00" })
      expect(yield* state(one.id)).toEqual(["partial", "100.00", "20.00"])
    })
  )
)

it.live("an outside CRM puts a payment once, also after a person undid it", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* startLedger()
      const { invoice, send, state } = callsOf(suite, 7)
      const { id } = yield* invoice("RE-1", "100.00")
      const body = { amount: "100.00", paid_on: "2030-01-10", allocations: [{ invoice_number: "RE-1" }] }
      const put = (more: object = {}) => send("PUT", "/payments/external/p-1", { ...body, ...more })
      const all = yield* Effect.all([put(), put(), put()], { concurrency: 3 })
      expect(all.map(({ json, status }) => `${status} ${json.outcome}`).toSorted()).toEqual([
        "200 created",
        "200 unchanged",
        "200 unchanged"
      ])
      expect((yield* put({ amount: "99.00" })).json.code).toBe("payment_differs")
      expect((yield* send("POST", "/payments", { ...body, external_id: "p-1" })).json.code).toBe("external_id_taken")
      yield* send("POST", `/payments/${all[0].json.payment.id}/undo`)
      expect([(yield* put()).json.outcome, yield* state(id)]).toEqual(["unchanged", ["open", "0.00", "100.00"]])
    })
  )
)

it.live("another tenant sees and settles nothing", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* startLedger()
      const mine = callsOf(suite, 7)
      const theirs = callsOf(suite, 8)
      const { id } = yield* mine.invoice("RE-1", "100.00")
      const payment = yield* mine.paid("10.00", [{ invoice_id: id }])
      for (const [method, path, body] of [
        ["GET", `/invoices/${id}`, undefined],
        ["PUT", `/invoices/${id}`, { number: "RE-1", amount: "1", issued_on: "2030-01-01" }],
        ["PATCH", `/invoices/${id}`, { note: "mine" }],
        ["DELETE", `/invoices/${id}`, undefined],
        ["POST", `/invoices/${id}/cancel`, undefined],
        ["GET", `/payments/${payment.id}`, undefined],
        ["POST", `/payments/${payment.id}/undo`, undefined]
      ] as const)
        expect([method, path, (yield* theirs.send(method, path, body)).status]).toEqual([method, path, 404])
      expect((yield* theirs.get("/invoices")).items).toEqual([])
      expect((yield* theirs.get("/payments")).items).toEqual([])
      expect(yield* mine.state(id)).toEqual(["partial", "10.00", "90.00"])
    })
  )
)
