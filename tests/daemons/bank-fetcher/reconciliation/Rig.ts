/** A bank-fetcher with bookings and invoices that tests write directly, and calls of its reconciliation endpoints. */
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { bankFetcher } from "#daemons/bank-fetcher/Daemon.ts"
import { fakeUsers } from "#support/FakeUsers.ts"
import { until } from "#support/Frame.ts"
import { type StartOptions, startSuite } from "#support/TestSuite.ts"

/** A user of `tenant` with all permissions, or only `held`. */
export const as = (tenant: number, held = "*") => ({ authorization: `Bearer user:${tenant}:${held}` })

export interface Booking {
  readonly amount: number
  readonly currency?: string
  readonly text?: string
  readonly day?: string
  readonly endToEndId?: string
  readonly mandateId?: string
  readonly counterIban?: string
  readonly counterName?: string
  readonly gvc?: string
  readonly returnReason?: string
  readonly reversal?: boolean
  readonly status?: "booked" | "pending" | "information"
}

export interface Invoice {
  readonly number: string
  readonly amount: number
  readonly currency?: string
  readonly customer?: number
  readonly issued?: string
  readonly due?: string
  readonly discountUntil?: string
  readonly discount?: number
}

export const startBank = Effect.fnUntraced(function* (options: Partial<StartOptions> = {}) {
  const suite = yield* startSuite({ daemons: [bankFetcher], verifier: fakeUsers, ...options })
  const { sql } = suite
  /** An account of a tenant with one statement for all bookings. */
  const account = Effect.fnUntraced(function* (tenant: number, iban = `DE${String(tenant).padStart(20, "0")}`) {
    const [made] = yield* sql<{ id: string }>`insert into bank_fetcher.account (tenant_id, name, iban)
      values (${tenant}, 'Main', ${iban}) returning id`
    const [file] = yield* sql<{ id: string }>`insert into bank_fetcher.raw_file (tenant_id, account_id, source, name,
      sha256, size, chunks) values (${tenant}, ${made!.id}, 'import', 'a.xml', ${randomUUID()}, 1, 0) returning id`
    const [statement] = yield* sql<{ id: string }>`insert into bank_fetcher.statement (tenant_id, account_id, file_id,
      position, kind, format, bank_id, currency, closing, closing_on)
      values (${tenant}, ${made!.id}, ${file!.id}, 0, 'end_of_day', 'MT940', '1', 'EUR', 123456, '2026-03-31')
      returning id`
    return { id: made!.id, statement: statement!.id, tenant }
  })
  let position = 0
  /** Books a transaction; returns its id. */
  const book = Effect.fnUntraced(function* (at: Effect.Success<ReturnType<typeof account>>, booking: Booking) {
    const { amount, currency = "EUR", day = "2026-03-10", gvc = null, reversal = false, status = "booked" } = booking
    const { counterIban = null, counterName = null, endToEndId = null, mandateId = null, text = "" } = booking
    const [made] = yield* sql<{ id: string }>`insert into bank_fetcher.transaction (tenant_id, account_id, statement_id,
        position, amount, currency, status, booked_on, reversal, text, end_to_end_id, mandate_id, counter_iban,
        counter_name, gvc, return_reason)
      values (${at.tenant}, ${at.id}, ${at.statement}, ${position++}, ${amount}, ${currency}, ${status}, ${day}::date,
        ${reversal}, ${text}, ${endToEndId}, ${mandateId}, ${counterIban}, ${counterName}, ${gvc},
        ${booking.returnReason ?? null}) returning id`
    return made!.id
  })
  /** Issues an invoice; returns its id. */
  const invoice = Effect.fnUntraced(function* (tenant: number, one: Invoice) {
    const { amount, currency = "EUR", customer = null, discount = null, discountUntil = null, number } = one
    const [made] = yield* sql<{ id: string }>`insert into bank_fetcher.invoice (tenant_id, customer_id, number, kind,
        amount, currency, issued_on, due_on, discount_until, discount_amount)
      values (${tenant}, ${customer}, ${number}, ${amount < 0 ? "credit_note" : "invoice"}, ${amount}, ${currency},
        ${one.issued ?? "2026-03-01"}::date, ${one.due ?? "2026-03-15"}::date, ${discountUntil}::date, ${discount})
      returning id`
    return made!.id
  })
  /** A customer, and its IBAN. */
  const customer = Effect.fnUntraced(function* (tenant: number, id: number, name: string, iban?: string) {
    yield* sql`insert into bank_fetcher.customer (customer_id, tenant_id, number, name, state, version)
      values (${id}, ${tenant}, ${`K-${id}`}, ${name}, 'active', 1)`
    if (iban !== undefined)
      yield* sql`insert into bank_fetcher.customer_iban (tenant_id, customer_id, iban)
        values (${tenant}, ${id}, ${iban})`
  })
  const call = (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = as(7)) =>
    suite.call(method, `/api/v1/crm/ebics${path}`, { headers, ...(body === undefined ? {} : { body }) })
  /** Starts a batch and waits for its end. */
  const batch = Effect.fnUntraced(function* (tenant = 7) {
    const { json } = yield* call("POST", "/reconcile/batch", {}, as(tenant))
    const show = call("GET", `/reconcile/batches/${json.id}`, undefined, as(tenant))
    yield* until(
      `batch ${json.id} ends`,
      Effect.map(show, (answer) => ["finished", "failed"].includes(answer.json.state)),
      30
    )
    return (yield* show).json
  })
  /** Status, matched amount and version of a transaction. */
  const stateOf = (id: string) =>
    Effect.map(
      sql<any>`select reconciliation_status as status, matched::float8 as matched, suggestion, ignored_reason
        from bank_fetcher.transaction where id = ${id}`,
      ([row]) => row
    )
  /** Settled amount and status of an invoice. */
  const invoiceOf = (id: string) =>
    Effect.map(
      sql<any>`select settled::float8 as settled, status from bank_fetcher.invoice where id = ${id}`,
      ([row]) => [row.settled, row.status]
    )
  /** Waits until a statement of the daemon waits for a row that somebody else has locked. */
  const waitForLock = until(
    "a statement waits for a lock",
    Effect.map(
      sql`select 1 from pg_locks l join pg_stat_activity a on a.pid = l.pid
        where not l.granted and a.datname = current_database()`,
      (waiting) => waiting.length > 0
    )
  )
  return { ...suite, waitForLock, account, book, invoice, customer, ask: call, batch, stateOf, invoiceOf }
})
