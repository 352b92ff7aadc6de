import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { callsOf, emitCustomer, startLedger } from "./Ledger.ts"

it.live("an invoice is created, found, changed, cancelled and deleted", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* startLedger()
      const { get, invoice, send } = callsOf(suite, 7)
      yield* emitCustomer(suite, { customer_id: 5, tenant_id: 7, name: "Bäckerei Müller" })
      const key = { "idempotency-key": "once" }
      const body = {
        number: "RE-2030-0001",
        amount: "1190.00",
        issued_on: "2030-01-01",
        customer_id: 5,
        external_id: "crm-1",
        discount: { until: "2030-01-08", amount: "23.80" },
        note: "January"
      }
      const made = yield* send("POST", "/invoices", body, key)
      expect([made.status, made.json]).toEqual([
        201,
        expect.objectContaining({
          tenant_id: 7,
          number: "RE-2030-0001",
          kind: "invoice",
          amount: "1190.00",
          settled: "0.00",
          open: "1190.00",
          currency: "EUR",
          due_on: "2030-01-15",
          discount: { until: "2030-01-08", amount: "23.80" },
          customer_name: "Bäckerei Müller",
          status: "open",
          payments: []
        })
      ])
      expect((yield* send("POST", "/invoices", body, key)).json).toEqual(made.json)
      const { id } = made.json
      const taken = yield* send("POST", "/invoices", { ...body, external_id: "crm-2" })
      expect([taken.status, taken.json.code, taken.json.invoice_id]).toEqual([409, "invoice_number_taken", id])
      const known = yield* send("POST", "/invoices", { ...body, number: "RE-9" })
      expect([known.status, known.json.code, known.json.id]).toEqual([409, "external_id_taken", id])

      yield* invoice("RE-2", "-20.50", { due_on: "2020-01-01", issued_on: "2020-01-01" })
      yield* invoice("RE-3", "100", { currency: "JPY", due_on: "2020-02-01", issued_on: "2020-01-01" })
      const found = (query: string) =>
        Effect.map(get(`/invoices?${query}`), ({ items }) => items.map(({ number }: any) => number))
      for (const [query, numbers] of [
        ["", ["RE-3", "RE-2", "RE-2030-0001"]],
        ["q=m%C3%BCller", ["RE-2030-0001"]],
        ["q=JANU", ["RE-2030-0001"]],
        ["q=%25", []],
        ["number=RE-2", ["RE-2"]],
        ["kind=credit_note", ["RE-2"]],
        ["currency=JPY", ["RE-3"]],
        ["overdue=true", ["RE-3"]],
        ["customer_id=5", ["RE-2030-0001"]],
        ["due_from=2030-01-15&due_to=2030-01-15", ["RE-2030-0001"]],
        ["due_to=2030-01-14", ["RE-3", "RE-2"]],
        ["status=paid", []]
      ] as const)
        expect([query, yield* found(query)]).toEqual([query, numbers])
      const page = yield* get("/invoices?limit=2")
      expect((yield* get(`/invoices?limit=2&before=${page.next_before}`)).items).toHaveLength(1)

      const patched = yield* send("PATCH", `/invoices/${id}`, { due_on: "2030-02-01" })
      expect([patched.json.due_on, patched.json.discount, patched.json.external_id]).toEqual([
        "2030-02-01",
        { until: "2030-01-08", amount: "23.80" },
        "crm-1"
      ])
      const replaced = yield* send("PUT", `/invoices/${id}`, { number: "RE-1", amount: "50", issued_on: "2030-01-01" })
      expect(replaced.json).toMatchObject({ number: "RE-1", amount: "50.00", discount: null, customer_id: null })
      expect(
        (yield* send("PUT", `/invoices/${id}`, { number: "RE-2", amount: "1", issued_on: "2030-01-01" })).json.code
      ).toBe("invoice_number_taken")
      const cancelled = yield* send("POST", `/invoices/${id}/cancel`)
      expect([cancelled.json.status, cancelled.json.open]).toEqual(["cancelled", "0.00"])
      expect((yield* send("PATCH", `/invoices/${id}`, { amount: "60" })).json.code).toBe("invoice_cancelled")
      expect((yield* send("PATCH", `/invoices/${id}`, { note: "sent twice" })).json.note).toBe("sent twice")
      expect((yield* send("DELETE", `/invoices/${id}`)).status).toBe(204)
      expect((yield* send("GET", `/invoices/${id}`)).status).toBe(404)
      const audit = yield* suite.sql<{ action: string }>`select action from core.audit
        where entity_type = 'invoice' and entity_id = ${id} order by id`
      expect(audit.map(({ action }) => action)).toEqual([
        "invoice.created",
        "invoice.changed",
        "invoice.changed",
        "invoice.cancelled",
        "invoice.changed",
        "invoice.deleted"
      ])
    })
  )
)

it.live("an outside CRM puts an invoice as often as it wants, and wrong fields are named", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* startLedger()
      const { get, send } = callsOf(suite, 7)
      const put = (body: object) => send("PUT", "/invoices/external/crm%2F1", body)
      const body = { number: "RE-1", amount: "10.00", issued_on: "2030-01-01" }
      const all = yield* Effect.all([put(body), put(body), put(body)], { concurrency: 3 })
      expect(all.map(({ json, status }) => `${status} ${json.outcome}`).toSorted()).toEqual([
        "200 created",
        "200 unchanged",
        "200 unchanged"
      ])
      const changed = yield* put({ ...body, amount: "11.00" })
      expect([changed.json.outcome, changed.json.invoice.amount]).toEqual(["changed", "11.00"])
      expect((yield* get("/invoices")).items).toHaveLength(1)
      // Not one for each change: the decision about open transactions is requested once.
      const jobs = yield* suite.sql`select 1 from pgboss.job where name = 'bank.reconcile' and state = 'created'`
      expect(jobs.length).toBeLessThanOrEqual(2)

      for (const [wrong, field] of [
        [{ ...body, amount: "0" }, "payload.amount"],
        [{ ...body, amount: "1,50" }, "payload.amount"],
        [{ ...body, amount: "1.505" }, "payload.amount"],
        [{ ...body, amount: "100000000000000000" }, "payload.amount"],
        [{ ...body, amount: "1.5", currency: "JPY" }, "payload.amount"],
        [{ ...body, issued_on: "2030-02-30" }, "payload.issued_on"],
        [{ ...body, due_on: "2029-12-31" }, "payload.due_on"],
        [{ ...body, number: " RE" }, "payload.number"],
        [{ ...body, discount: { until: "2030-01-05", amount: "10.00" } }, "payload.discount.amount"],
        [{ ...body, amount: "-10.00", discount: { until: "2030-01-05", amount: "1" } }, "payload.discount.amount"],
        [{ ...body, colour: "red" }, "payload.colour"]
      ] as const) {
        const { json, status } = yield* put(wrong)
        expect([wrong, status, json.errors[0].field]).toEqual([wrong, 422, field])
      }
      expect((yield* send("GET", "/invoices/unknown")).status).toBe(404)
      expect((yield* send("GET", "/invoices?overdue=perhaps")).status).toBe(422)
      expect((yield* callsOf(suite, 7, "ebics.view").send("POST", "/invoices", body)).status).toBe(403)
      expect((yield* callsOf(suite, 7, "ebics.reconcile").send("GET", "/invoices")).status).toBe(403)
    })
  )
)
