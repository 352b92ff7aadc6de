import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { until } from "#support/Frame.ts"
import { as, startBank } from "./Rig.ts"

it.live("a batch matches what is certain, suggests the rest, and recognises what pays no invoice", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const bank = yield* startBank()
      const main = yield* bank.account(7)
      const savings = "DE75512108001245126199"
      yield* bank.account(7, savings)
      const one = yield* bank.invoice(7, { number: "RE-2026-0001", amount: 10_000 })
      const part = yield* bank.invoice(7, { number: "RE-2026-0002", amount: 8_000 })
      yield* bank.invoice(7, { number: "RE-2026-0003", amount: 7_000 })
      const theirs = yield* bank.invoice(8, { number: "RE-2026-0001", amount: 10_000 })
      const exact = yield* bank.book(main, { amount: 10_000, text: "RE-2026-0001 Danke", endToEndId: "E-1" })
      // The same invoice again: it is paid by then, so only similar numbers are suggested.
      const twice = yield* bank.book(main, { amount: 10_000, text: "RE-2026-0001" })
      const partial = yield* bank.book(main, { amount: 3_000, text: "re 2026 0002" })
      const amount = yield* bank.book(main, { amount: 7_000 })
      const fee = yield* bank.book(main, { amount: -450, gvc: "805", text: "Entgelt RE-2026-0003" })
      const own = yield* bank.book(main, { amount: 7_000, counterIban: savings, text: "RE-2026-0003" })
      const unknown = yield* bank.book(main, { amount: 1, text: "?" })
      const pending = yield* bank.book(main, { amount: 7_000, text: "RE-2026-0003", status: "pending" })
      const { transactions } = yield* bank.batch()
      expect(transactions).toEqual({ total: 7, done: 7, auto_matched: 2, suggested: 2, ignored: 2, unmatched: 1 })
      const statuses = new Map<string, unknown>()
      for (const [name, id] of Object.entries({ exact, twice, partial, amount, fee, own, unknown, pending })) {
        const { ignored_reason, matched, status } = yield* bank.stateOf(id)
        statuses.set(name, [status, matched, ignored_reason])
      }
      expect(Object.fromEntries(statuses)).toEqual({
        exact: ["auto_matched", 10_000, null],
        twice: ["suggested", 0, null],
        partial: ["partial", 3_000, null],
        amount: ["suggested", 0, null],
        fee: ["ignored", 0, "fee"],
        own: ["ignored", 0, "own_transfer"],
        unknown: ["unmatched", 0, null],
        pending: ["unmatched", 0, null]
      })
      expect(yield* bank.invoiceOf(one)).toEqual([10_000, "paid"])
      expect(yield* bank.invoiceOf(part)).toEqual([3_000, "partial"])
      expect(yield* bank.invoiceOf(theirs)).toEqual([0, "open"])
      expect((yield* bank.stateOf(amount)).suggestion).toMatchObject({
        confidence: 70,
        allocations: [{ number: "RE-2026-0003", amount: "70.00" }]
      })
      const events = yield* bank.sql<any>`select type, data from core.event order by id`
      const of = (type: string) => events.filter((event) => event.type === type)
      expect(of("bank.transaction.matched").map(({ data }) => [data.status, data.confidence])).toEqual([
        ["auto_matched", 100],
        ["partial", 100]
      ])
      expect(of("payment.received")).toHaveLength(2)
      expect(of("bank.batch.progress").map(({ data }) => [data.state, data.done, data.total])).toEqual([
        ["running", 0, 7],
        ["running", 7, 7],
        ["finished", 7, 7]
      ])

      // The second batch sees what the first one settled; a third one changes nothing.
      yield* bank.batch()
      const first = yield* bank.sql`select id, version from bank_fetcher.transaction order by id`
      yield* bank.batch()
      expect(yield* bank.sql`select id, version from bank_fetcher.transaction order by id`).toEqual(first)
      // What a person undid, no batch matches again.
      yield* bank.ask("POST", `/transactions/${exact}/undo`)
      yield* bank.ask("POST", `/transactions/${own}/undo`)
      yield* bank.batch()
      expect((yield* bank.stateOf(exact)).status).toBe("suggested")
      expect((yield* bank.stateOf(exact)).suggestion.reasons.at(-1)).toEqual({ code: "undone_before" })
      expect((yield* bank.stateOf(own)).status).not.toBe("ignored")
      // The transaction that was second is now the only one that the number proves.
      expect(yield* bank.invoiceOf(one)).toEqual([10_000, "paid"])
      expect((yield* bank.stateOf(twice)).status).toBe("auto_matched")
    })
  )
)

it.live("a returned direct debit reopens its invoice, and its undo settles it again", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const bank = yield* startBank()
      const main = yield* bank.account(7)
      const ids = {
        one: yield* bank.invoice(7, { number: "RE-2026-0001", amount: 10_000 }),
        two: yield* bank.invoice(7, { number: "RE-2026-0002", amount: 5_000 })
      }
      const debit = yield* bank.book(main, { amount: 10_000, text: "RE-2026-0001", endToEndId: "E-1" })
      yield* bank.book(main, { amount: 5_000, text: "RE-2026-0002", mandateId: "M-2" })
      yield* bank.batch()
      expect([yield* bank.invoiceOf(ids.one), yield* bank.invoiceOf(ids.two)]).toEqual([
        [10_000, "paid"],
        [5_000, "paid"]
      ])
      // With the bank's fee in the same booking; by the mandate; and one whose payment is unknown.
      const back = { text: "Rückgabe RE-2026-0001", day: "2026-03-12" }
      const byId = yield* bank.book(main, { ...back, amount: -10_300, gvc: "109", endToEndId: "E-1" })
      const byMandate = yield* bank.book(main, { ...back, amount: -5_000, reversal: true, mandateId: "M-2" })
      const lost = yield* bank.book(main, { ...back, amount: -4_000, returnReason: "AC04", endToEndId: "E-9" })
      yield* bank.batch()
      expect([yield* bank.invoiceOf(ids.one), yield* bank.invoiceOf(ids.two)]).toEqual([
        [0, "open"],
        [0, "open"]
      ])
      const state = yield* bank.ask("GET", `/transactions/${byId}/suggestions?lang=en`)
      expect(state.json).toMatchObject({
        reconciliation_status: "auto_matched",
        matched: "-100.00",
        unassigned: "-3.00"
      })
      expect(state.json.decision.reasons[0].text).toBe("return of the payment for RE-2026-0001")
      expect((yield* bank.stateOf(byMandate)).status).toBe("auto_matched")
      const other = yield* bank.ask("GET", `/transactions/${lost}/suggestions?lang=en`)
      expect([other.json.reconciliation_status, other.json.recognised.code]).toEqual(["unmatched", "return"])

      // The payment cannot be undone while its return stands.
      const refused = yield* bank.ask("POST", `/transactions/${debit}/undo`)
      expect([refused.status, refused.json.reason]).toEqual([409, "returned"])
      yield* bank.ask("POST", `/transactions/${byId}/ignore`, { reason: "test" })
      expect(yield* bank.invoiceOf(ids.one)).toEqual([10_000, "paid"])
      yield* bank.ask("POST", `/transactions/${byId}/undo`)
      expect(yield* bank.invoiceOf(ids.one)).toEqual([0, "open"])
      yield* bank.ask("POST", `/transactions/${byId}/undo`)
      expect(yield* bank.invoiceOf(ids.one)).toEqual([10_000, "paid"])
      expect((yield* bank.ask("POST", `/transactions/${debit}/undo`)).status).toBe(200)
      expect(yield* bank.invoiceOf(ids.one)).toEqual([0, "open"])
    })
  )
)

it.live("ended batches of a tenant stay for 90 days", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const bank = yield* startBank()
      yield* bank.sql`insert into bank_fetcher.batch (tenant_id, requested_by, state, finished_at)
        select tenant, name, state, now() - days * interval '1 day'
          from (values (7, 'old', 'finished', 91), (7, 'failed', 'failed', 91), (7, 'young', 'finished', 89),
            (8, 'other', 'finished', 91), (7, 'running', 'running', null)) as old (tenant, name, state, days)`
      yield* bank.ask("POST", "/reconcile/batch", {}, as(7))
      const left = yield* bank.sql<{ requested_by: string }>`select requested_by from bank_fetcher.batch
        where requested_by not like 'user:%' order by seq`
      expect(left.map(({ requested_by }) => requested_by)).toEqual(["young", "other", "running"])
    })
  )
)

it.live("two batches at once are one, and a service token names the tenant", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const bank = yield* startBank()
      const main = yield* bank.account(7)
      yield* bank.invoice(7, { number: "RE-2026-0001", amount: 100 })
      yield* bank.book(main, { amount: 100, text: "RE-2026-0001", day: "2026-03-30" })
      const answers = yield* Effect.all(
        Array.from({ length: 5 }, () => bank.ask("POST", "/reconcile/batch", {})),
        { concurrency: "unbounded" }
      )
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
      yield* until(
        "all batches end",
        Effect.map(bank.ask("GET", "/reconcile/batches"), ({ json }) =>
          json.items.every(({ state }: any) => state === "finished")
        )
      )
      const [{ count }] = (yield* bank.sql`select count(*)::int as count from bank_fetcher.payment`) as any
      expect(count).toBe(1)
      const headers = { "x-service-token": yield* bank.token }
      const made = yield* bank.ask("POST", "/reconcile/batch", { tenant_id: 8 }, headers)
      expect([made.status, made.json.tenant_id]).toEqual([202, 8])
      expect((yield* bank.ask("GET", "/reconcile/batches?limit=1", undefined, as(8))).json).toMatchObject({
        items: [{ id: made.json.id }],
        next_before: null
      })
    })
  )
)
