/**
 * Imports of CSV files and their progress: the table, and what reads and writes it. Functions run in the surrounding
 * transaction with its role. ImportWorker.ts does the work.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Audit from "../log/Audit.ts"
import { NotFound } from "../http/Problem.ts"
import * as Jobs from "../jobs/Jobs.ts"

/** Largest file. Unit: bytes. Reason: holds about 200,000 rows; the file is stored in a row until the import ends. */
export const maxFile = 16 * 1024 * 1024

/**
 * Maximum number of row errors stored with their message. Reason: enough to see what is wrong; all failed rows are
 * counted.
 */
export const maxErrors = 100

/** How long a finished import stays. Unit: days. */
const keptDays = 90

/** Who asked for an import. It works long after the request has ended. */
export interface Author {
  /** Name in the audit log. */
  readonly actor: string
  readonly address: string | undefined
}

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

/** Id of an import: a number, or a UUID. */
export type ImportId = number | string

export interface Import<Id extends ImportId> extends Counts {
  readonly id: Id
  readonly tenant_id: number
  readonly state: "waiting" | "running" | "finished"
  /** Null until the file was read once. */
  readonly rows_total: number | null
  readonly rows_done: number
  readonly errors: ReadonlyArray<RowError>
  readonly created_at: Date
  readonly finished_at: Date | null
}

/** An import as responses show it, except for its id. */
export const viewFields = {
  tenant_id: Schema.Int,
  state: Schema.Literals(["waiting", "running", "finished"]),
  /** `total` is null until the file was read once. */
  rows: Schema.Struct({
    total: Schema.NullOr(Schema.Int),
    done: Schema.Int,
    created: Schema.Int,
    changed: Schema.Int,
    unchanged: Schema.Int,
    failed: Schema.Int
  }),
  /** First hundred rows that failed. `line`: line on which the row ends; the header is line 1. */
  errors: Schema.Array(Schema.Struct({ line: Schema.Int, message: Schema.String })),
  created_at: Schema.String,
  finished_at: Schema.NullOr(Schema.String)
}

/** Converts an import to the response. */
export const viewOf = <Id extends ImportId>({
  changed,
  created,
  created_at,
  failed,
  finished_at,
  rows_done,
  rows_total,
  unchanged,
  ...rest
}: Import<Id>) => ({
  ...rest,
  rows: { total: rows_total, done: rows_done, created, changed, unchanged, failed },
  created_at: created_at.toISOString(),
  finished_at: finished_at?.toISOString() ?? null
})

/** Statements that create the table of imports with UUIDs. `table`: with its schema. */
export const tableStatements = (table: string): ReadonlyArray<string> => [
  // body: the CSV file; null when the import has finished.
  `create table ${table} (
     id uuid primary key default gen_random_uuid(),
     tenant_id int not null,
     actor text not null,
     address text,
     body text,
     state text not null default 'waiting' check (state in ('waiting', 'running', 'finished')),
     rows_total int,
     rows_done int not null default 0,
     created int not null default 0,
     changed int not null default 0,
     unchanged int not null default 0,
     failed int not null default 0,
     errors jsonb not null default '[]',
     created_at timestamptz not null default now(),
     finished_at timestamptz
   )`,
  `create index on ${table} (tenant_id, finished_at)`,
  `select core.protect('${table}')`
]

/** One kind of import. */
export interface Kind<Name extends string, Id extends ImportId> {
  /** Table of the imports, with its schema. */
  readonly table: string
  /** Name in the audit log: `customer_import`. */
  readonly entity: string
  readonly job: Jobs.JobType<Name, { readonly import_id: Id; readonly tenant_id: number }>
}

/** Reads and writes the imports of one kind. */
export const make = <const Name extends string, Id extends ImportId>({ entity, job, table: name }: Kind<Name, Id>) => {
  const fields = `id, tenant_id, state, rows_total, rows_done, created, changed, unchanged, failed, errors, created_at,
    finished_at`

  /** Import with this ID, or 404. */
  const get = Effect.fnUntraced(function* (id: Id) {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<Import<Id>>`select ${sql.literal(fields)} from ${sql.literal(name)} where id = ${id}`
    return row ?? (yield* new NotFound({ detail: "The import does not exist." }))
  })

  /** Stores the file and queues the import; the work starts after the commit. */
  const create = Effect.fnUntraced(function* (tenantId: number, body: string, { actor, address }: Author) {
    const sql = yield* SqlClient.SqlClient
    yield* sql`delete from ${sql.literal(name)}
      where tenant_id = ${tenantId} and finished_at < now() - make_interval(days => ${keptDays})`
    const [made] = yield* sql<Import<Id>>`insert into ${sql.literal(name)} (tenant_id, actor, address, body)
      values (${tenantId}, ${actor}, ${address ?? null}, ${body}) returning ${sql.literal(fields)}`
    const { id } = made!
    yield* Effect.flatMap(Jobs.Jobs, (jobs) => jobs.send(job, [{ data: { import_id: id, tenant_id: tenantId } }]))
    yield* Audit.write({ tenantId, actor, address, action: `${entity}.created`, entity, id: String(id) })
    return made!
  })

  /** Marks the import as running and returns its file and progress; undefined when it is finished or missing. */
  const begun = Effect.fnUntraced(function* (id: Id) {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{
      body: string
      actor: string
      address: string | null
      rows_total: number | null
      rows_done: number
    }>`
      update ${sql.literal(name)} set state = 'running' where id = ${id} and state <> 'finished'
      returning body, actor, address, rows_total, rows_done`
    return row
  })

  const counted = (id: Id, rows: number) =>
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`update ${sql.literal(name)} set rows_total = ${rows} where id = ${id} and rows_total is null`
    )

  /** Claims the next `rows` rows after `done` for this transaction; false when another process has claimed them. */
  const taken = (id: Id, done: number, rows: number) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.map(
        sql`update ${sql.literal(name)} set rows_done = rows_done + ${rows}
          where id = ${id} and rows_done = ${done} and state = 'running' returning 1`,
        (found) => found.length === 1
      )
    )

  /** Adds the results of a batch to the import. */
  const record = Effect.fnUntraced(function* (
    id: Id,
    { changed, created, failed, unchanged }: Counts,
    errors: ReadonlyArray<RowError>
  ) {
    const sql = yield* SqlClient.SqlClient
    const pg = yield* PgClient.PgClient
    yield* sql`update ${sql.literal(name)} set created = created + ${created}, changed = changed + ${changed},
      unchanged = unchanged + ${unchanged}, failed = failed + ${failed},
      errors = case when jsonb_array_length(errors) < ${maxErrors}
        then jsonb_path_query_array(errors || ${pg.json(errors)}::jsonb, ${`$[0 to ${maxErrors - 1}]`}::jsonpath)
        else errors end where id = ${id}`
  })

  const finish = Effect.fnUntraced(function* (id: Id) {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<
      Counts & { tenant_id: number; actor: string; address: string | null }
    >`update ${sql.literal(name)}
      set state = 'finished', body = null, finished_at = now() where id = ${id} and state = 'running'
      returning tenant_id, actor, address, created, changed, unchanged, failed`
    if (row === undefined) return
    const { actor, address, tenant_id: tenantId, ...detail } = row
    yield* Audit.write({
      tenantId,
      actor,
      address: address ?? undefined,
      action: `${entity}.finished`,
      entity,
      id: String(id),
      detail
    })
  })

  return { job, table: name, get, create, begun, counted, taken, record, finish }
}
