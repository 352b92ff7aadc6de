/** Transactions as matching reads them. Functions run in the surrounding transaction with its role. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { NotFound } from "#core/http/Problem.ts"
import type { Transaction } from "../matching/Model.ts"
import { plainIban } from "../matching/MatchIndex.ts"
import type { StoredSuggestion } from "./StoredSuggestion.ts"
import type { Refused } from "./Outcome.ts"
import type { Booking } from "./Recognition.ts"

export type Status = "unmatched" | "suggested" | "auto_matched" | "manual_matched" | "ignored" | "partial"

/** A transaction with what reconciliation knows about it. Amounts in minor units. */
export interface Row extends Transaction, Booking {
  readonly id: string
  readonly seq: number
  readonly tenantId: number
  readonly accountId: string | null
  readonly bookingStatus: "booked" | "pending" | "information"
  readonly mandateId: string | null
  readonly current: boolean
  readonly status: Status
  readonly matched: number
  readonly suggestion: StoredSuggestion | null
  readonly ignoredReason: string | null
  readonly version: number
}

const fields = (sql: SqlClient.SqlClient) => sql`t.id, t.seq::float8 as seq, t.tenant_id as "tenantId",
  t.account_id as "accountId", t.amount::float8 as amount, t.currency, t.status as "bookingStatus",
  t.booked_on::text as "bookedOn", t.reversal, t.text, t.end_to_end_id as "endToEndId",
  t.creditor_reference as "creditorReference", t.mandate_id as "mandateId", t.counter_name as "counterName",
  t.counter_iban as "counterIban", t.gvc, t.code, t.return_reason as "returnReason", t.current,
  t.reconciliation_status as status, t.matched::float8 as matched, t.suggestion, t.ignored_reason as "ignoredReason",
  t.version`

/** Transaction with this id, or 404. */
export const get = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Row>`select ${fields(sql)} from bank_fetcher.transaction t where id = ${id}`
  return row ?? (yield* new NotFound({ detail: "The transaction does not exist." }))
})

/** The same, locked until the end of the transaction. */
export const lock = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Row>`select ${fields(sql)} from bank_fetcher.transaction t where id = ${id} for update`
  return row ?? (yield* new NotFound({ detail: "The transaction does not exist." }))
})

/** Booked transactions that wait for a decision, after `seq`, in order of the bookings. */
export const undecided = (tenantId: number, seq: number, limit: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<Row>`select ${fields(sql)} from bank_fetcher.transaction t
      where t.tenant_id = ${tenantId} and t.current and t.status = 'booked'
        and t.reconciliation_status in ('unmatched', 'suggested') and t.seq > ${seq} order by t.seq limit ${limit}`
  )

/** Number of transactions that wait for a decision. */
export const countUndecided = (tenantId: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ count: number }>`select count(*)::int as count from bank_fetcher.transaction
        where tenant_id = ${tenantId} and current and status = 'booked'
          and reconciliation_status in ('unmatched', 'suggested')`,
      ([found]) => found!.count
    )
  )

/** IBANs of the tenant's accounts, also of deactivated ones. */
export const ownIbans = (tenantId: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ iban: string }>`select distinct iban from bank_fetcher.account where tenant_id = ${tenantId}`,
      (rows): ReadonlySet<string> => new Set(rows.map(({ iban }) => plainIban(iban)))
    )
  )

/** What people undid, by transaction. */
export const refused = Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ id: string; kind: string; invoices: ReadonlyArray<string>; by: string }>`
    select transaction_id as id, kind, invoices, decided_by as by from bank_fetcher.decision
    where transaction_id = any(${ids}::uuid[]) and undone_at is not null`
  const found = new Map<string, { invoices: Set<string>; ignore: boolean }>()
  for (const { by, id, invoices, kind } of rows) {
    const one = found.get(id) ?? { invoices: new Set<string>(), ignore: false }
    found.set(id, one)
    for (const invoice of invoices) one.invoices.add(invoice)
    if (kind === "ignored" && by === automatic) one.ignore = true
  }
  return found as ReadonlyMap<string, Refused>
})

/** `decided_by` of decisions that no person made. */
export const automatic = "system"
