/** Reads statements, transactions and files for lists. Functions run in the surrounding transaction with its role. */
import { Effect } from "effect"
import { SqlClient, type Statement as Sql } from "effect/sql"
import { NotFound } from "#core/http/Problem.ts"
import { containing } from "#core/sql/Like.ts"
import { unusualDecimals } from "#protocols/bank-formats/Amount.ts"
import type { Finding } from "./Findings.ts"
import type { FileView, StatementView, TransactionView } from "./Views.ts"

type Row<View, Changed extends keyof View> = Omit<View, Changed>

export interface FileRow extends Row<typeof FileView.Type, "problem" | "received_at" | "parsed_at"> {
  readonly seq: number
  readonly chunks: number
  readonly problem: string | null
  readonly problem_code: string | null
  readonly received_at: Date
  readonly parsed_at: Date | null
}

export interface StatementRow extends Row<
  typeof StatementView.Type,
  "opening" | "closing" | "findings" | "imported_at"
> {
  readonly seq: number
  /** Unit: minor units. */
  readonly opening: number | null
  readonly closing: number | null
  readonly findings: ReadonlyArray<Finding>
  readonly imported_at: Date
}

export interface TransactionRow extends Row<
  typeof TransactionView.Type,
  "amount" | "matched" | "created_at" | "updated_at"
> {
  readonly seq: number
  /** Unit: minor units. */
  readonly amount: number
  readonly matched: number
  readonly created_at: Date
  readonly updated_at: Date
}

export interface PageRequest {
  readonly before?: number | undefined
  readonly limit: number
}

export interface FileFilter {
  readonly tenant_id?: number
  readonly account?: string
  readonly source?: string
  readonly state?: string
}

export interface StatementFilter {
  readonly tenant_id?: number
  readonly account?: string
  readonly file?: string
  readonly kind?: string
  readonly state?: string
  readonly from?: string
  readonly to?: string
  readonly findings?: "true" | "false"
}

export interface TransactionFilter {
  readonly tenant_id?: number
  readonly account?: string
  readonly statement?: string
  readonly status?: string
  readonly booking_status?: string
  readonly direction?: "in" | "out"
  readonly from?: string
  readonly to?: string
  readonly min_amount?: string
  readonly max_amount?: string
  readonly currency?: string
  readonly q?: string
  readonly current?: "true" | "false" | "all"
}

const fileFields = (sql: SqlClient.SqlClient) =>
  sql`id, seq, tenant_id, account_id, source, order_type, name, sha256, size::float8 as size, chunks, state, problem,
    problem_code, statements, known_statements, received_at, parsed_at, keep_until::text as keep_until`

const statementFields = (sql: SqlClient.SqlClient) =>
  sql`id, seq, tenant_id, account_id, file_id, kind, format, bank_id, number, page, iban, currency,
    from_date::text as from_date, to_date::text as to_date, opening::float8 as opening, opening_on::text as opening_on,
    closing::float8 as closing, closing_on::text as closing_on, transactions, state, replaced_by, findings,
    bank_created_at, imported_at`

const transactionFields = (sql: SqlClient.SqlClient) =>
  sql`id, seq::float8 as seq, tenant_id, account_id, statement_id, amount::float8 as amount, currency,
    status as booking_status, booked_on::text as booked_on, value_on::text as value_on, reversal, text, end_to_end_id,
    creditor_reference, mandate_id, creditor_id, bank_reference, counter_name, counter_iban, counter_bic, gvc, code,
    purpose, return_reason, current, replaced_by, reconciliation_status, matched::float8 as matched, suggestion,
    ignored_reason, version, created_at, updated_at`

const equal = (sql: SqlClient.SqlClient, fields: Readonly<Record<string, string | number | undefined>>) =>
  Object.entries(fields).flatMap(([field, value]) => (value === undefined ? [] : [sql`${sql(field)} = ${value}`]))

const when = (value: unknown, fragment: () => Sql.Fragment) => (value === undefined ? [] : [fragment()])

export const files = Effect.fnUntraced(function* (
  { account, source, state, tenant_id }: FileFilter,
  { before, limit }: PageRequest
) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<FileRow>`select ${fileFields(sql)} from bank_fetcher.raw_file where ${sql.and([
    sql`state <> 'receiving'`,
    ...equal(sql, { tenant_id, account_id: account, source, state }),
    ...when(before, () => sql`seq < ${before!}`)
  ])} order by seq desc limit ${limit}`
})

/** File with this id, or 404. */
export const file = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<FileRow>`select ${fileFields(sql)} from bank_fetcher.raw_file
    where id = ${id} and state <> 'receiving'`
  return row ?? (yield* new NotFound({ detail: "The file does not exist." }))
})

export const filesOf = Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  if (ids.length === 0) return []
  return yield* sql<FileRow>`select ${fileFields(sql)} from bank_fetcher.raw_file where ${sql.in("id", ids)}`
})

export const statements = Effect.fnUntraced(function* (
  { account, file: fileId, findings, from, kind, state, tenant_id, to }: StatementFilter,
  { before, limit }: PageRequest
) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<StatementRow>`select ${statementFields(sql)} from bank_fetcher.statement where ${sql.and([
    sql`true`,
    ...equal(sql, { tenant_id, account_id: account, file_id: fileId, kind, state }),
    ...when(from, () => sql`to_date >= ${from!}::text::date`),
    ...when(to, () => sql`from_date <= ${to!}::text::date`),
    ...when(findings, () => (findings === "true" ? sql`findings <> '[]'` : sql`findings = '[]'`)),
    ...when(before, () => sql`seq < ${before!}`)
  ])} order by seq desc limit ${limit}`
})

/** Statement with this id, or 404. */
export const statement = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<StatementRow>`select ${statementFields(sql)} from bank_fetcher.statement where id = ${id}`
  return row ?? (yield* new NotFound({ detail: "The statement does not exist." }))
})

const unusual = JSON.stringify(unusualDecimals)

/** Amount without sign in the currency's main unit. */
const inMainUnit = (sql: SqlClient.SqlClient) =>
  sql`abs(amount) / power(10::numeric, coalesce((${unusual}::text::jsonb ->> currency)::int, 2))`

export const transactions = Effect.fnUntraced(function* (
  {
    account,
    booking_status,
    direction,
    from,
    q,
    statement: statementId,
    status,
    tenant_id,
    to,
    ...filter
  }: TransactionFilter,
  { before, limit }: PageRequest
) {
  const sql = yield* SqlClient.SqlClient
  const { currency, current = statementId === undefined ? "true" : "all", max_amount, min_amount } = filter
  const like = containing(q ?? "")
  // An IBAN is stored without the blanks that people type.
  const likeIban = containing((q ?? "").replaceAll(" ", ""))
  return yield* sql<TransactionRow>`select ${transactionFields(sql)} from bank_fetcher.transaction where ${sql.and([
    sql`true`,
    ...(current === "all" ? [] : [current === "true" ? sql`current` : sql`not current`]),
    ...equal(sql, {
      tenant_id,
      account_id: account,
      statement_id: statementId,
      reconciliation_status: status,
      status: booking_status,
      currency
    }),
    ...when(direction, () => (direction === "in" ? sql`amount > 0` : sql`amount < 0`)),
    ...when(from, () => sql`booked_on >= ${from!}::text::date`),
    ...when(to, () => sql`booked_on <= ${to!}::text::date`),
    ...when(min_amount, () => sql`${inMainUnit(sql)} >= ${min_amount!}::text::numeric`),
    ...when(max_amount, () => sql`${inMainUnit(sql)} <= ${max_amount!}::text::numeric`),
    ...when(
      q,
      () => sql`(text ilike ${like} or counter_name ilike ${like} or counter_iban ilike ${likeIban}
        or end_to_end_id ilike ${like} or creditor_reference ilike ${likeIban} or mandate_id ilike ${like}
        or bank_reference ilike ${like})`
    ),
    ...when(before, () => sql`seq < ${before!}`)
  ])} order by seq desc limit ${limit}`
})

/** Transaction with this id, or 404. */
export const transaction = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<TransactionRow>`select ${transactionFields(sql)} from bank_fetcher.transaction
    where id = ${id}`
  return row ?? (yield* new NotFound({ detail: "The transaction does not exist." }))
})
