/**
 * Reads and writes imports of customers and their progress. Functions run in the surrounding transaction with its role.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Audit from "#core/log/Audit.ts"
import { NotFound } from "#core/http/Problem.ts"
import * as Jobs from "#core/jobs/Jobs.ts"
import type { Author } from "./CustomerTelling.ts"

/**
 * Largest file. Unit: bytes. Reason: holds about 200,000 customers; the file is stored in a row until the import ends.
 */
export const maxFile = 16 * 1024 * 1024

/**
 * Maximum number of row errors stored with their message. Reason: enough to see what is wrong; all failed rows are
 * counted.
 */
export const maxErrors = 100

/** How long a finished import stays. Unit: days. */
const keptDays = 90

export const ImportCustomers = Jobs.define(
  "customer.import",
  Schema.Struct({ import_id: Schema.Int, tenant_id: Schema.Int })
)

export interface RowError {
  readonly line: number
  readonly message: string
}

/** Number of rows per result. */
export interface Counts {
  readonly created: number
  readonly changed: number
  readonly unchanged: number
  readonly failed: number
}

export interface Import extends Counts {
  readonly id: number
  readonly tenant_id: number
  readonly state: "waiting" | "running" | "finished"
  /** Null until the file was read once. */
  readonly rows_total: number | null
  readonly rows_done: number
  readonly errors: ReadonlyArray<RowError>
  readonly created_at: Date
  readonly finished_at: Date | null
}

const fields = (sql: SqlClient.SqlClient) =>
  sql`id, tenant_id, state, rows_total, rows_done, created, changed, unchanged, failed, errors, created_at, finished_at`

/** Import with this ID, or 404. */
export const get = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Import>`select ${fields(sql)} from sip_config.customer_import where id = ${id}`
  return row ?? (yield* new NotFound({ detail: "The import does not exist." }))
})

/** Stores the file and queues the import; the work starts after the commit. */
export const create = Effect.fnUntraced(function* (tenantId: number, body: string, { actor, address }: Author) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`delete from sip_config.customer_import
    where tenant_id = ${tenantId} and finished_at < now() - make_interval(days => ${keptDays})`
  const [made] = yield* sql<Import>`insert into sip_config.customer_import (tenant_id, actor, address, body)
    values (${tenantId}, ${actor}, ${address ?? null}, ${body}) returning ${fields(sql)}`
  const { id } = made!
  yield* Effect.flatMap(Jobs.Jobs, (jobs) =>
    jobs.send(ImportCustomers, [{ data: { import_id: id, tenant_id: tenantId } }])
  )
  yield* Audit.write({
    tenantId,
    actor,
    address,
    action: "customer_import.created",
    entity: "customer_import",
    id: String(id)
  })
  return made!
})

/** Marks the import as running and returns its file and progress; undefined when it is finished or missing. */
export const begun = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{
    body: string
    actor: string
    address: string | null
    rows_total: number | null
    rows_done: number
  }>`
    update sip_config.customer_import set state = 'running' where id = ${id} and state <> 'finished'
    returning body, actor, address, rows_total, rows_done`
  return row
})

export const counted = (id: number, rows: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`update sip_config.customer_import set rows_total = ${rows} where id = ${id} and rows_total is null`
  )

/** Claims the next `rows` rows after `done` for this transaction; false when another process has claimed them. */
export const taken = (id: number, done: number, rows: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql`update sip_config.customer_import set rows_done = rows_done + ${rows}
        where id = ${id} and rows_done = ${done} and state = 'running' returning 1`,
      (found) => found.length === 1
    )
  )

/** Adds the results of a batch to the import. */
export const record = Effect.fnUntraced(function* (
  id: number,
  { changed, created, failed, unchanged }: Counts,
  errors: ReadonlyArray<RowError>
) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  yield* sql`update sip_config.customer_import set created = created + ${created}, changed = changed + ${changed},
    unchanged = unchanged + ${unchanged}, failed = failed + ${failed},
    errors = case when jsonb_array_length(errors) < ${maxErrors}
      then jsonb_path_query_array(errors || ${pg.json(errors)}::jsonb, ${`$[0 to ${maxErrors - 1}]`}::jsonpath)
      else errors end where id = ${id}`
})

export const finish = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<
    Counts & { tenant_id: number; actor: string; address: string | null }
  >`update sip_config.customer_import
    set state = 'finished', body = null, finished_at = now() where id = ${id} and state = 'running'
    returning tenant_id, actor, address, created, changed, unchanged, failed`
  if (row === undefined) return
  const { actor, address, tenant_id: tenantId, ...detail } = row
  yield* Audit.write({
    tenantId,
    actor,
    address: address ?? undefined,
    action: "customer_import.finished",
    entity: "customer_import",
    id: String(id),
    detail
  })
})
