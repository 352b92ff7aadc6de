import { expect, it } from "@effect/vitest"
import { Context, Effect, Result } from "effect"
import { SqlClient } from "effect/sql"
import { tenantTransaction } from "#core/sql/Sql.ts"
import { bankFetcher } from "#daemons/bank-fetcher/Daemon.ts"
import {
  allocationsOf,
  createPayment,
  createPayments,
  openInvoices,
  reopen,
  requestReconcile,
  undoPayment
} from "#daemons/bank-fetcher/invoices/Exports.ts"
import { client, frame } from "#support/Frame.ts"
import { migratedDatabase } from "#support/Postgres.ts"

/** A frame over the tables of the daemon, with 4 transactions and some invoices of tenant 7. */
const ledger = Effect.gen(function* () {
  const { target } = yield* migratedDatabase([bankFetcher.migrations])
  const context = yield* frame({ target, names: ["bank-fetcher"], queues: ["bank.reconcile"] })
  const sql = Context.get(context, SqlClient.SqlClient)
  yield* sql`with f as (insert into bank_fetcher.raw_file (tenant_id, source, name, sha256, size, chunks)
      values (7, 'import', 'a', 'a', 1, 1) returning id),
    s as (insert into bank_fetcher.statement (tenant_id, file_id, position, kind, format, bank_id)
      select 7, id, 0, 'end_of_day', 'camt', 'x' from f returning id)
    insert into bank_fetcher.transaction (id, tenant_id, statement_id, position, amount, currency, status, booked_on)
    select ('00000000-0000-4000-8000-00000000000' || n)::uuid, 7, id, n, 10000, 'EUR', 'booked', '2030-01-10'
    from s, generate_series(1, 4) n`
  return {
    sql,
    target,
    in: <A, E, R>(effect: Effect.Effect<A, E, R>, tenant = 7) =>
      Effect.provideContext(tenantTransaction(tenant, effect), context),
    transaction: (n: number) => `00000000-0000-4000-8000-00000000000${n}`,
    invoice: (number: string, amount: number, more = { until: null as string | null, less: null as number | null }) =>
      Effect.map(
        sql<{ id: string }>`insert into bank_fetcher.invoice (tenant_id, customer_id, number, amount, currency,
            issued_on, due_on, discount_until, discount_amount)
          values (7, 5, ${number}, ${amount}, 'EUR', '2030-01-01', '2030-01-15', ${more.until}::date, ${more.less})
          returning id`,
        ([row]) => row!.id
      ),
    rows: sql<{ row: string }>`select concat_ws(' ', number, status, settled, discounted) as row
      from bank_fetcher.invoice order by number`.pipe(Effect.map((rows) => rows.map(({ row }) => row)))
  }
})

const payment = (
  amount: number,
  allocations: ReadonlyArray<{ invoiceId: string; amount: number }>,
  more: object = {}
) => ({
  source: "bank" as const,
  transactionId: null,
  amount,
  currency: "EUR",
  paidOn: "2030-01-10",
  allocations,
  ...more
})

it.live("many payments are made in their order, and what does not fit makes nothing", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { in: inside, invoice, rows, sql, transaction } = yield* ledger
      const [one, two] = [yield* invoice("RE-1", 10_000), yield* invoice("RE-2", 5_000)]
      const made = yield* inside(
        createPayments(7, [
          payment(6_000, [{ invoiceId: one, amount: 6_000 }], { transactionId: transaction(1) }),
          payment(6_000, [{ invoiceId: one, amount: 6_000 }], { transactionId: transaction(2) }),
          payment(
            9_500,
            [
              { invoiceId: two, amount: 5_000 },
              { invoiceId: one, amount: 4_000 }
            ],
            { transactionId: transaction(3) }
          ),
          payment(1, [{ invoiceId: transaction(1), amount: 1 }])
        ])
      )
      expect(made.map((result) => ("reason" in result ? result.reason : result.unassigned))).toEqual([
        0,
        "too_much",
        500,
        "unknown_invoice"
      ])
      expect(made[2]).toMatchObject({ customerId: 5, allocations: [{ number: "RE-2" }, { number: "RE-1" }] })
      expect(yield* rows).toEqual(["RE-1 paid 10000 0", "RE-2 paid 5000 0"])
      const open = yield* inside(openInvoices(7))
      expect(open).toEqual([])

      // The same bank transaction pays once, and another tenant's invoices are not found.
      const again = yield* Effect.result(
        inside(createPayment(7, payment(10_000, [], { transactionId: transaction(1) })))
      )
      expect(Result.isFailure(again) && again.failure).toMatchObject({ reason: "already_paid" })
      const [third] = [yield* invoice("RE-3", 100)]
      const stolen = yield* inside(createPayments(8, [payment(100, [{ invoiceId: third, amount: 100 }])]), 8)
      expect(stolen).toEqual([{ reason: "unknown_invoice", invoiceId: third }])
      expect(yield* sql`select 1 from bank_fetcher.payment`).toHaveLength(2)
      expect(yield* sql`select 1 from core.event where type = 'payment.received'`).toHaveLength(2)
    })
  )
)

it.live("a lost race for a bank transaction gives back what its payment would have settled", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { in: inside, invoice, rows, transaction } = yield* ledger
      const one = yield* invoice("RE-1", 10_000)
      yield* inside(createPayment(7, payment(1, [], { transactionId: transaction(1) })))
      const made = yield* inside(
        createPayments(7, [
          payment(9_000, [{ invoiceId: one, amount: 9_000 }], { transactionId: transaction(1) }),
          payment(1_000, [{ invoiceId: one, amount: 1_000 }], { transactionId: transaction(2) })
        ])
      )
      expect(made.map((result) => "reason" in result && result.reason)).toEqual(["already_paid", false])
      expect(yield* rows).toEqual(["RE-1 partial 1000 0"])
    })
  )
)

it.live("a returned direct debit reopens the invoice with its cash discount, and undo settles it again", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { in: inside, invoice, rows, sql, transaction } = yield* ledger
      const terms = { until: "2030-01-10", less: 200 }
      const [one, two] = [yield* invoice("RE-1", 10_000, terms), yield* invoice("RE-2", 1_000)]
      const made = yield* inside(
        createPayment(
          7,
          payment(
            11_000,
            [
              { invoiceId: two, amount: 1_000 },
              { invoiceId: one, amount: 9_800 }
            ],
            { transactionId: transaction(1) }
          )
        )
      )
      expect([made.unassigned, yield* rows]).toEqual([200, ["RE-1 paid 10000 200", "RE-2 paid 1000 0"]])
      const back = { paymentId: made.id, transactionId: transaction(2), currency: "EUR", paidOn: "2030-01-12" }
      // A part: first what settles nothing, then the last invoice, whose discount ends.
      const part = yield* inside(reopen({ ...back, amount: -5_200 }))
      expect([part.unassigned, yield* rows]).toEqual([-200, ["RE-1 partial 4800 0", "RE-2 paid 1000 0"]])
      const undone = yield* Effect.result(inside(undoPayment(made.id)))
      expect(Result.isFailure(undone) && undone.failure).toMatchObject({ payment_id: part.id })
      // The rest, and the fee of the bank.
      const rest = yield* inside(reopen({ ...back, transactionId: transaction(3), amount: -6_150 }))
      expect([rest.unassigned, yield* rows]).toEqual([-350, ["RE-1 open 0 0", "RE-2 open 0 0"]])
      const more = yield* Effect.result(inside(reopen({ ...back, transactionId: null, amount: -1 })))
      expect(Result.isFailure(more) && more.failure).toMatchObject({ reason: "nothing" })
      expect(yield* inside(undoPayment(rest.id))).toBe(true)
      expect(yield* inside(undoPayment(part.id))).toBe(true)
      expect(yield* rows).toEqual(["RE-1 paid 10000 200", "RE-2 paid 1000 0"])
      expect([yield* inside(undoPayment(made.id)), yield* inside(undoPayment(made.id))]).toEqual([true, false])
      expect(yield* rows).toEqual(["RE-1 open 0 0", "RE-2 open 0 0"])
      // Only money that came in is told.
      expect(yield* sql`select 1 from core.event where type = 'payment.received'`).toHaveLength(1)
    })
  )
)

it.live("open invoices have what matching needs, and a match with a cash discount splits it off", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { in: inside, invoice, rows } = yield* ledger
      const one = yield* invoice("RE-1", 10_000, { until: "2030-01-10", less: 200 })
      const [open] = yield* inside(openInvoices(7))
      expect(open).toEqual({
        id: one,
        number: "RE-1",
        customerId: 5,
        open: 10_000,
        currency: "EUR",
        issuedOn: "2030-01-01",
        dueOn: "2030-01-15",
        discount: { until: "2030-01-10", amount: 200 }
      })
      const matched = [{ invoice: open!, amount: 10_000 }]
      expect(allocationsOf(matched, { amount: 9_800, bookedOn: "2030-01-11" })[0]).toMatchObject({ amount: 10_000 })
      const allocations = allocationsOf(matched, { amount: 9_800, bookedOn: "2030-01-10" })
      yield* inside(createPayment(7, { ...payment(9_800, []), allocations }))
      expect(yield* rows).toEqual(["RE-1 paid 10000 200"])
      expect(yield* inside(openInvoices(8), 8)).toEqual([])
    })
  )
)

it.live("one waiting job decides about all changes of a tenant, and never before they are committed", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { in: inside, sql, target } = yield* ledger
      const other = yield* client(target)
      const waiting = sql<{ tenant: string }>`select data ->> 'tenant_id' as tenant from pgboss.job
        where name = 'bank.reconcile' and state = 'created' order by 1`
      yield* inside(Effect.andThen(requestReconcile(7), requestReconcile(7)))
      yield* inside(requestReconcile(7))
      yield* inside(requestReconcile(8), 8)
      expect((yield* waiting).map(({ tenant }) => tenant)).toEqual(["7", "8"])
      // While a transaction relies on the waiting job, no worker can take it.
      const free = yield* inside(
        Effect.andThen(
          requestReconcile(7),
          other<{ tenant: string }>`select data ->> 'tenant_id' as tenant from pgboss.job
            where name = 'bank.reconcile' for update skip locked`
        )
      )
      expect(free).toEqual([{ tenant: "8" }])
    })
  )
)
