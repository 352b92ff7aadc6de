import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { as, startBank } from "./Rig.ts"

const suggestions = (json: any) =>
  json.suggestions.map(({ allocations, confidence }: any) => [confidence, allocations.map((a: any) => a.number)])

it.live("suggestions have reasons, one is accepted, and undo restores what was before", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const bank = yield* startBank()
      const main = yield* bank.account(7)
      yield* bank.customer(7, 1, "Bäckerei Müller", "DE02120300000000202051")
      const first = yield* bank.invoice(7, { number: "RE-2026-0041", amount: 25_050, customer: 1 })
      yield* bank.invoice(7, { number: "RE-2026-0042", amount: 25_050, customer: 1 })
      const id = yield* bank.book(main, { amount: 25_050, counterIban: "DE02 1203 0000 0000 2020 51" })
      const path = `/transactions/${id}`
      const { json } = yield* bank.ask("GET", `${path}/suggestions?lang=de`)
      expect([json.reconciliation_status, json.amount, json.unassigned, json.decision]).toEqual([
        "unmatched",
        "250.50",
        "250.50",
        null
      ])
      expect(suggestions(json)).toEqual([
        [84, ["RE-2026-0041"]],
        [84, ["RE-2026-0042"]]
      ])
      expect(json.suggestions[0].reasons.map(({ text }: any) => text)).toEqual([
        "offener Betrag gleich",
        "fällig in 5 Tagen",
        "IBAN des Kunden",
        "andere Rechnungen passen ebenso"
      ])
      expect(json.suggestions[0].allocations[0]).toMatchObject({
        invoice_id: first,
        customer_name: "Bäckerei Müller",
        amount: "250.50",
        open: "250.50"
      })
      const before = yield* bank.stateOf(id)
      const matched = yield* bank.ask("POST", `${path}/reconcile`, { suggestion: 1, note: "by phone" })
      expect([matched.status, matched.json.reconciliation_status, matched.json.unassigned]).toEqual([
        200,
        "manual_matched",
        "0.00"
      ])
      expect(matched.json.decision).toMatchObject({ kind: "manual", note: "by phone", decided_by: "user:70" })
      expect(yield* bank.invoiceOf(first)).toEqual([25_050, "paid"])
      const again = yield* bank.ask("POST", `${path}/reconcile`, { suggestion: 1 })
      expect([again.status, again.json.code]).toEqual([409, "already_decided"])
      expect((yield* bank.ask("GET", `${path}/suggestions`)).json.suggestions).toEqual([])

      // An ignored match settles nothing until the ignore is undone.
      expect((yield* bank.ask("POST", `${path}/ignore`, { reason: "test" })).json.ignored_text).toBe("test")
      expect(yield* bank.invoiceOf(first)).toEqual([0, "open"])
      const restored = yield* bank.ask("POST", `${path}/undo`)
      expect([restored.json.reconciliation_status, restored.json.decision.allocations[0].number]).toEqual([
        "manual_matched",
        "RE-2026-0041"
      ])
      expect(yield* bank.invoiceOf(first)).toEqual([25_050, "paid"])
      yield* bank.ask("POST", `${path}/undo`)
      expect(yield* bank.stateOf(id)).toEqual(before)
      expect(yield* bank.invoiceOf(first)).toEqual([0, "open"])
      const nothing = yield* bank.ask("POST", `${path}/undo`)
      expect([nothing.status, nothing.json.code]).toEqual([409, "nothing_to_undo"])

      const told = yield* bank.sql<any>`select type, data from core.event where type like '%.matched' or
        type = 'payment.received' order by id`
      expect(told.map(({ data, type }) => [type, data.amount, data.invoices[0].number])).toEqual([
        ["payment.received", "250.50", "RE-2026-0041"],
        ["bank.transaction.matched", "250.50", "RE-2026-0041"],
        ["payment.received", "250.50", "RE-2026-0041"]
      ])
      const audit = yield* bank.sql<any>`select action from core.audit where entity_id = ${id} order by id`
      expect(audit.map(({ action }) => action)).toEqual([
        "bank_transaction.matched",
        "bank_transaction.ignored",
        "bank_transaction.undone",
        "bank_transaction.undone"
      ])
    })
  )
)

it.live("a transaction is split, paid in part, with a discount, a credit note, and in another currency", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const bank = yield* startBank()
      const main = yield* bank.account(7)
      const one = yield* bank.invoice(7, { number: "A-0001", amount: 10_000 })
      const two = yield* bank.invoice(7, { number: "A-0002", amount: 5_000 })
      const credit = yield* bank.invoice(7, { number: "G-0001", amount: -2_000 })
      const reconcile = (id: string, body: unknown) => bank.ask("POST", `/transactions/${id}/reconcile`, body)
      const list = (...ids: ReadonlyArray<string>) => ({ allocations: ids.map((invoice_id) => ({ invoice_id })) })

      const part = yield* bank.book(main, { amount: 12_000 })
      const split = yield* reconcile(part, list(one, two))
      expect(split.json.reconciliation_status).toBe("partial")
      expect([yield* bank.invoiceOf(one), yield* bank.invoiceOf(two)]).toEqual([
        [10_000, "paid"],
        [2_000, "partial"]
      ])
      const over = yield* bank.book(main, { amount: 4_000 })
      expect((yield* reconcile(over, { allocations: [{ invoice_id: two, amount: "30.01" }] })).json).toMatchObject({
        code: "match_not_possible",
        reason: "more_than_open"
      })
      const paid = yield* reconcile(over, list(two))
      expect([paid.json.reconciliation_status, paid.json.matched, paid.json.unassigned]).toEqual([
        "manual_matched",
        "30.00",
        "10.00"
      ])
      yield* bank.ask("POST", `/transactions/${over}/undo`)
      // Credit note: 30.00 less 20.00.
      const net = yield* bank.book(main, { amount: 1_000 })
      expect((yield* reconcile(net, list(two, credit))).json.reconciliation_status).toBe("manual_matched")
      expect([yield* bank.invoiceOf(two), yield* bank.invoiceOf(credit)]).toEqual([
        [5_000, "paid"],
        [-2_000, "paid"]
      ])
      const out = yield* bank.book(main, { amount: -500 })
      expect((yield* reconcile(out, list(two))).status).toBe(409)

      const three = yield* bank.invoice(7, {
        number: "A-0003",
        amount: 10_000,
        discount: 200,
        discountUntil: "2026-03-10"
      })
      const early = yield* bank.book(main, { amount: 9_800 })
      expect((yield* reconcile(early, list(three))).json).toMatchObject({
        reconciliation_status: "manual_matched",
        decision: { allocations: [{ amount: "98.00", discount: "2.00" }] }
      })

      const dollars = yield* bank.invoice(7, { number: "A-0004", amount: 10_000, currency: "USD" })
      const foreign = yield* bank.book(main, { amount: 9_100, text: "A-0004" })
      yield* bank.batch()
      expect((yield* bank.stateOf(foreign)).status).toBe("suggested")
      const other = { allocations: [{ invoice_id: dollars, amount: "100.00" }] }
      const refused = yield* reconcile(foreign, other)
      expect([refused.json.code, refused.json.currency]).toEqual(["currency_differs", "USD"])
      expect((yield* reconcile(foreign, { ...other, confirm_currency: true })).json).toMatchObject({
        reconciliation_status: "manual_matched",
        matched: "91.00",
        decision: { allocations: [{ amount: "100.00", currency: "USD" }] }
      })
      expect(yield* bank.invoiceOf(dollars)).toEqual([10_000, "paid"])

      const pending = yield* bank.book(main, { amount: 100, status: "pending" })
      expect((yield* reconcile(pending, list(two))).json.reason).toBe("not_booked")
      for (const [body, field] of [
        [{}, "payload"],
        [{ suggestion: 9 }, "payload.suggestion"],
        [list(main.id), "payload.allocations[0].invoice_id"],
        [{ allocations: [{ invoice_id: three, amount: "1.234" }] }, "payload.allocations[0].amount"],
        [{ allocations: [] }, "payload.allocations"]
      ] as const) {
        const { json, status } = yield* reconcile(out, body)
        expect([status, json.errors[0].field]).toEqual([422, field])
      }
    })
  )
)

it.live("another tenant and a user without permission see and change nothing", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const bank = yield* startBank()
      const main = yield* bank.account(7)
      const id = yield* bank.book(main, { amount: 100, text: "A-0001" })
      const invoice_id = yield* bank.invoice(7, { number: "A-0001", amount: 100 })
      const theirs = yield* bank.invoice(8, { number: "A-0001", amount: 100 })
      const { id: batch } = yield* bank.batch()
      yield* bank.ask("POST", `/transactions/${id}/undo`)
      const before = yield* bank.stateOf(id)
      for (const [method, path, body] of [
        ["GET", `/transactions/${id}/suggestions`],
        ["POST", `/transactions/${id}/reconcile`, { allocations: [{ invoice_id }] }],
        ["POST", `/transactions/${id}/ignore`, { reason: "x" }],
        ["POST", `/transactions/${id}/undo`],
        ["GET", `/reconcile/batches/${batch}`]
      ] as const) {
        expect([path, (yield* bank.ask(method, path, body, as(8))).status]).toEqual([path, 404])
        expect([path, (yield* bank.ask(method, path, body, as(7, "ebics.fetch"))).status]).toEqual([path, 403])
      }
      expect((yield* bank.ask("GET", "/reconcile/batches", undefined, as(8))).json.items).toEqual([])
      expect((yield* bank.ask("POST", "/reconcile/batch", { tenant_id: 7 }, as(8))).status).toBe(403)
      expect((yield* bank.ask("GET", "/dashboard?tenant_id=7", undefined, as(8))).status).toBe(403)
      const crossed = yield* bank.ask("POST", `/transactions/${id}/reconcile`, {
        allocations: [{ invoice_id: theirs }]
      })
      expect([crossed.status, crossed.json.errors[0].field]).toEqual([422, "payload.allocations[0].invoice_id"])
      expect(yield* bank.stateOf(id)).toEqual(before)
      for (const impossible of ["no-uuid", "12"])
        expect((yield* bank.ask("GET", `/transactions/${impossible}/suggestions`)).status).toBe(404)
    })
  )
)
