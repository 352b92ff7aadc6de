/** Random sequences of decisions, people beside a batch, and a batch whose process dies. */
import { PgClient } from "@effect/sql-pg"
import { expect, it } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, Fiber, Layer, Scope } from "effect"
import { toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import { bankFetcher } from "#daemons/bank-fetcher/Daemon.ts"
import { until } from "#support/Frame.ts"
import { migratedDatabase } from "#support/Postgres.ts"
import { make } from "#support/Random.ts"
import { startBank } from "./Rig.ts"

type Bank = Effect.Success<ReturnType<typeof startBank>>

/** What must hold at any time; each query answers rows that break it. */
const invariants = {
  "an invoice is settled by its active payments, and not beyond its amount": `
    select i.number, i.settled, i.status from bank_fetcher.invoice i
    left join (select a.invoice_id, sum(a.amount + a.discount) as paid from bank_fetcher.payment_allocation a
      join bank_fetcher.payment p on p.id = a.payment_id and p.state = 'active' group by 1) s on s.invoice_id = i.id
    where i.settled <> coalesce(s.paid, 0) or abs(i.settled) > abs(i.amount)
      or i.status <> case when i.settled = 0 then 'open' when i.settled = i.amount then 'paid' else 'partial' end`,
  "a transaction is matched when it has one active payment": `
    select t.id, t.reconciliation_status, t.matched, count(p.id) from bank_fetcher.transaction t
    left join bank_fetcher.payment p on p.transaction_id = t.id and p.state = 'active'
    group by t.id having count(p.id) <> (t.reconciliation_status in ('auto_matched', 'manual_matched', 'partial'))::int
      or coalesce(sum(p.amount - p.unassigned), 0) <> t.matched`,
  "a decided transaction has a decision in force, others have none": `
    select t.id, t.reconciliation_status, count(d.id) from bank_fetcher.transaction t
    left join bank_fetcher.decision d on d.transaction_id = t.id and d.undone_at is null
    group by t.id having (count(d.id) > 0) <> (t.reconciliation_status not in ('unmatched', 'suggested'))`,
  "a payment allocates no more than it has": `
    select p.id from bank_fetcher.payment p join bank_fetcher.payment_allocation a on a.payment_id = p.id
    group by p.id having sum(a.amount) + p.unassigned <> p.amount`
}

/** Holds the locks of `lock` in a transaction of its own while `use` runs. */
const holding = <A, E, R>(sql: PgClient.PgClient, lock: Effect.Effect<unknown, unknown>, use: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const locked = yield* Deferred.make<void>()
    const release = yield* Deferred.make<void>()
    const held = Effect.andThen(lock, Effect.andThen(Deferred.succeed(locked, undefined), Deferred.await(release)))
    const fiber = yield* Effect.forkChild(sql.withTransaction(held))
    yield* Deferred.await(locked)
    const result = yield* use
    yield* Deferred.succeed(release, undefined)
    yield* Fiber.join(fiber)
    return result
  })

const check = Effect.fnUntraced(function* (bank: Bank, at: string) {
  for (const [name, query] of Object.entries(invariants))
    expect([at, name, yield* bank.sql.unsafe(query)]).toEqual([at, name, []])
})

it.live(
  "random sequences of match, ignore, undo and batch keep the books right, and undo restores all",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const random = make(4_711)
        const bank = yield* startBank()
        const main = yield* bank.account(7)
        const invoices: Array<string> = []
        const transactions: Array<string> = []
        for (let at = 0; at < 8; at++)
          invoices.push(yield* bank.invoice(7, { number: `RE-2026-0${100 + at * 37}`, amount: 1_000 * (1 + (at % 3)) }))
        for (let at = 0; at < 8; at++)
          transactions.push(
            yield* bank.book(main, {
              // Those without a number get a suggestion by their amount.
              amount: at % 2 === 0 ? 700 * (1 + (at % 4)) : 1_000 * (1 + (at % 3)),
              text: at % 2 === 0 ? `RE-2026-0${100 + at * 37}` : ""
            })
          )
        const pick = <A>(items: ReadonlyArray<A>): A => items[Math.floor(random.between(0, items.length))]!
        const all = bank.sql`select (select jsonb_agg(jsonb_build_array(id, reconciliation_status, matched, suggestion,
            ignored_reason) order by id) from bank_fetcher.transaction) as transactions,
          (select jsonb_agg(jsonb_build_array(id, settled, status) order by id) from bank_fetcher.invoice) as invoices`
        yield* bank.batch()
        let changes = 0
        for (let step = 0; step < 30; step++) {
          const id = pick(transactions)
          const before = yield* all
          const kind = Math.floor(random.between(0, 10))
          const path = `/transactions/${id}`
          if (kind === 0) yield* bank.batch()
          else {
            const { status } =
              kind < 5
                ? yield* bank.ask("POST", `${path}/reconcile`, {
                    allocations: [...new Set([pick(invoices), pick(invoices)])].map((invoice_id) => ({ invoice_id }))
                  })
                : kind < 7
                  ? yield* bank.ask("POST", `${path}/ignore`, { reason: "x" })
                  : yield* bank.ask("POST", `${path}/undo`)
            expect([200, 409]).toContain(status)
            if (status === 409) expect(yield* all).toEqual(before)
            else if (kind < 7) {
              changes++
              if (random.next() < 0.5) {
                expect((yield* bank.ask("POST", `${path}/undo`)).status).toBe(200)
                expect(yield* all).toEqual(before)
              }
            }
          }
          yield* check(bank, `step ${step}`)
        }
        expect(changes).toBeGreaterThan(5)
      })
    ),
  120_000
)

it.live(
  "people and batches at the same time: one payment for each transaction, and a person's match stays",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const bank = yield* startBank()
        const main = yield* bank.account(7)
        const count = 30
        const pairs: Array<readonly [transaction: string, invoice: string]> = []
        const other = yield* bank.invoice(7, { number: "X-1", amount: 1_000_000 })
        for (let at = 0; at < count; at++) {
          const number = `RE-2026-${1_000 + at * 111}`
          const invoice = yield* bank.invoice(7, { number, amount: 5_000 + at })
          // The batch matches every second one, and suggests the others.
          pairs.push([yield* bank.book(main, { amount: 5_000 + at, text: at % 2 === 0 ? number : "" }), invoice])
        }
        const byHand = Effect.forEach(
          pairs,
          ([id]) => bank.ask("POST", `/transactions/${id}/reconcile`, { allocations: [{ invoice_id: other }] }),
          { concurrency: 4 }
        )
        const [answers] = yield* Effect.all([byHand, bank.batch(), bank.batch()], { concurrency: "unbounded" })
        yield* check(bank, "after")
        for (const [at, { status }] of answers.entries()) {
          const state = yield* bank.stateOf(pairs[at]![0])
          expect([200, 409]).toContain(status)
          expect(state.status).toBe(status === 200 ? "partial" : "auto_matched")
        }
        yield* bank.batch()
        const [payments] = yield* bank.sql<any>`select count(*)::int as count from bank_fetcher.payment`
        expect(payments.count).toBe(count)
      })
    ),
  120_000
)

it.live("an invoice that is paid while a run decides is not paid twice, and the run looks again", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const bank = yield* startBank()
      const main = yield* bank.account(7)
      const invoice = yield* bank.invoice(7, { number: "RE-2026-0001", amount: 10_000 })
      const id = yield* bank.book(main, { amount: 10_000, text: "RE-2026-0001" })
      // The payment is not committed while the batch reads, so the batch decides to match, and waits for the row.
      yield* holding(
        bank.sql,
        bank.sql`update bank_fetcher.invoice set settled = 4000, status = 'partial' where id = ${invoice}`,
        Effect.andThen(bank.ask("POST", "/reconcile/batch", {}), bank.waitForLock)
      )
      // The run looks again: 60.00 are left, and the rest is unassigned.
      yield* until(
        "the rest is matched",
        Effect.map(bank.stateOf(id), ({ status }) => status === "auto_matched")
      )
      expect((yield* bank.stateOf(id)).matched).toBe(6_000)
      expect(yield* bank.invoiceOf(invoice)).toEqual([10_000, "paid"])
    })
  )
)

it.live("what a person matched and undid while a run decides, the run does not match", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const bank = yield* startBank()
      const main = yield* bank.account(7)
      const invoice = yield* bank.invoice(7, { number: "RE-2026-0001", amount: 10_000 })
      const id = yield* bank.book(main, { amount: 10_000, text: "RE-2026-0001" })
      // The batch reads the row before the person's two changes are committed, and waits for them.
      const matchedAndUndone = Effect.andThen(
        bank.sql`update bank_fetcher.transaction set version = version + 2 where id = ${id}`,
        bank.sql`insert into bank_fetcher.decision (tenant_id, transaction_id, kind, invoices, before, decided_by,
            undone_by, undone_at)
          values (7, ${id}, 'manual', array[${invoice}::uuid], '{}', 'user:1', 'user:1', now())`
      )
      yield* holding(
        bank.sql,
        matchedAndUndone,
        Effect.andThen(bank.ask("POST", "/reconcile/batch", {}), bank.waitForLock)
      )
      yield* bank.batch()
      expect(yield* bank.sql`select 1 from bank_fetcher.payment`).toEqual([])
      const { status, suggestion } = yield* bank.stateOf(id)
      expect([status, suggestion.reasons.at(-1)]).toEqual(["suggested", { code: "undone_before" }])
    })
  )
)

it.live(
  "a batch whose process ends in the middle is resumed by another one, and nothing is paid twice",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        // Two chunks and a part of a third one.
        const count = 1_100
        const database = yield* migratedDatabase([bankFetcher.migrations])
        const sql = Context.get(yield* Layer.build(PgClient.layer(toSqlPg(database.target))), PgClient.PgClient)
        const first = yield* Scope.make()
        const bank = yield* Scope.provide(startBank({ database }), first)
        const main = yield* bank.account(7)
        yield* sql`insert into bank_fetcher.invoice (tenant_id, number, amount, currency, issued_on, due_on)
        select 7, 'RE-2026-' || (10000 + at), 100 + at, 'EUR', '2026-03-01', '2026-03-15'
        from generate_series(1, ${count}::int) at`
        yield* sql`insert into bank_fetcher.transaction (tenant_id, account_id, statement_id, position, amount, currency,
          status, booked_on, text)
        select 7, ${main.id}, ${main.statement}, at, 100 + at, 'EUR', 'booked', '2026-03-10', 'RE-2026-' || (10000 + at)
        from generate_series(1, ${count}::int) at`
        const { json } = yield* holding(
          sql,
          sql`select 1 from bank_fetcher.transaction where position = 700 for update`,
          Effect.gen(function* () {
            const started = yield* bank.ask("POST", "/reconcile/batch", {})
            yield* bank.waitForLock
            yield* Scope.close(first, Exit.void)
            return started
          })
        )
        const half = yield* sql<any>`select done, state from bank_fetcher.batch`
        expect(half).toEqual([{ done: 500, state: "running" }])
        const second = yield* startBank({ database })
        const show = second.ask("GET", `/reconcile/batches/${json.id}`)
        yield* until(
          "the batch ends",
          Effect.map(show, (answer) => answer.json.state === "finished"),
          20
        )
        expect((yield* show).json.transactions).toMatchObject({ total: count, done: count, auto_matched: count })
        yield* check(second, "after")
        const [payments] = yield* sql<any>`select count(*)::int as count from bank_fetcher.payment`
        expect(payments.count).toBe(count)
      })
    ),
  // Two suites start one after the other, and the wait for the end of the batch alone may take 20 s.
  120_000
)
