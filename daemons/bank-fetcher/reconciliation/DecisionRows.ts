/** Rows of decisions. Functions run in the surrounding transaction with its role. */
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { MadePayment } from "../invoices/Exports.ts"
import type { StoredReason } from "./ReasonText.ts"
import type { Row, Status } from "./TransactionRows.ts"

/** State of a transaction before a decision, which undo restores. */
export interface Before {
  readonly status: Status
  readonly matched: number
  readonly suggestion: unknown
  readonly ignored_reason: string | null
}

export interface Decision {
  readonly id: string
  readonly kind: "auto" | "manual" | "ignored"
  readonly confidence: number | null
  readonly strategies: ReadonlyArray<string>
  readonly reasons: ReadonlyArray<StoredReason>
  readonly paymentId: string | null
  /** Payment that the transaction returned. */
  readonly returns: string | null
  readonly note: string | null
  readonly before: Before
  readonly decidedBy: string
  readonly decidedAt: Date
}

/** The decision in force; undefined when there is none. */
export const inForce = Effect.fnUntraced(function* (transactionId: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] =
    yield* sql<Decision>`select id, kind, confidence, strategies, reasons, payment_id as "paymentId", returns,
      note, before, decided_by as "decidedBy", decided_at as "decidedAt"
    from bank_fetcher.decision where transaction_id = ${transactionId} and undone_at is null order by seq desc limit 1`
  return row
})

export const insert = Effect.fnUntraced(function* (
  { id, tenantId }: Row,
  decision: {
    readonly kind: "manual" | "ignored"
    readonly reasons: ReadonlyArray<StoredReason>
    readonly payment: MadePayment | undefined
    readonly note: string | null
    readonly before: Before
    readonly by: string
  }
) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  const { before, by, kind, note, payment, reasons } = decision
  const invoices = (payment?.allocations ?? []).map(({ invoiceId }) => invoiceId)
  yield* sql`insert into bank_fetcher.decision (tenant_id, transaction_id, kind, reasons, payment_id, invoices, note,
      before, decided_by)
    values (${tenantId}, ${id}, ${kind}, ${pg.json(reasons)}, ${payment?.id ?? null}, ${invoices}::text[]::uuid[],
      ${note}, ${pg.json(before)}, ${by})`
})

export const markUndone = (id: string, by: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`update bank_fetcher.decision set undone_by = ${by}, undone_at = now() where id = ${id}`
  )

export const setPayment = (id: string, paymentId: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`update bank_fetcher.decision set payment_id = ${paymentId} where id = ${id}`
  )

/** What a payment was made of, to make it again. */
export const paymentOf = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const [payment] = yield* sql<{ amount: number; currency: string; note: string | null }>`
    select amount::float8 as amount, currency, note from bank_fetcher.payment where id = ${id}`
  const allocations = yield* sql<{ invoiceId: string; amount: number; discount: number }>`
    select invoice_id as "invoiceId", amount::float8 as amount, discount::float8 as discount
    from bank_fetcher.payment_allocation where payment_id = ${id} order by position`
  return { ...payment!, allocations }
})
