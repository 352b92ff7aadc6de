/** Batches that people start, and their progress. Functions run in the surrounding transaction with its role. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { BatchProgress } from "#core/contracts/Bank.ts"
import { Events } from "#core/events/Events.ts"
import { NotFound } from "#core/http/Problem.ts"
import { Jobs } from "#core/jobs/Jobs.ts"
import * as Audit from "#core/log/Audit.ts"
import { ReconcileWanted } from "../bank-store/BankJobs.ts"
import { type Counts, source } from "./MatchChunk.ts"
import type { Chunk } from "./MatchRun.ts"
import { countUndecided } from "./TransactionRows.ts"

/** How long an ended batch stays. Unit: days. */
const keptDays = 90

export interface Batch {
  readonly id: string
  readonly seq: number
  readonly tenant_id: number
  readonly state: "waiting" | "running" | "finished" | "failed"
  readonly total: number | null
  readonly done: number
  readonly auto_matched: number
  readonly suggested: number
  readonly ignored: number
  readonly unmatched: number
  readonly position: number
  readonly problem: string | null
  readonly requested_by: string
  readonly created_at: Date
  readonly finished_at: Date | null
}

const fields = (
  sql: SqlClient.SqlClient
) => sql`id, seq, tenant_id, state, total, done, auto_matched, suggested, ignored,
  unmatched, position::float8 as position, problem, requested_by, created_at, finished_at`

export const get = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Batch>`select ${fields(sql)} from bank_fetcher.batch where id = ${id}`
  return row ?? (yield* new NotFound({ detail: "The batch does not exist." }))
})

/** Batches before `before`, newest first. */
export const list = (tenantId: number | undefined, before: number | undefined, limit: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<Batch>`select ${fields(sql)} from bank_fetcher.batch
      where ${tenantId === undefined ? sql`true` : sql`tenant_id = ${tenantId}`}
        and ${before === undefined ? sql`true` : sql`seq < ${before}`}
      order by seq desc limit ${limit}`
  )

/** Queues a batch, or returns the one that waits already. */
export const start = Effect.fnUntraced(function* (tenantId: number, by: string, address?: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`delete from bank_fetcher.batch
    where tenant_id = ${tenantId} and finished_at < now() - make_interval(days => ${keptDays})`
  const [made] = yield* sql<Batch>`insert into bank_fetcher.batch (tenant_id, requested_by) values (${tenantId}, ${by})
    on conflict (tenant_id) where state = 'waiting' do nothing returning ${fields(sql)}`
  if (made === undefined) {
    const [waiting] = yield* sql<Batch>`select ${fields(sql)} from bank_fetcher.batch
      where tenant_id = ${tenantId} and state = 'waiting'`
    // It began to run between the two statements.
    return waiting ?? (yield* newest(tenantId))
  }
  const jobs = yield* Jobs
  yield* jobs.send(ReconcileWanted, [{ data: { tenant_id: tenantId, batch_id: made.id }, group: String(tenantId) }])
  yield* Audit.write({ tenantId, actor: by, address, action: "bank_batch.started", entity: "bank_batch", id: made.id })
  return made
})

const newest = (tenantId: number) => Effect.map(list(tenantId, undefined, 1), ([batch]) => batch!)

/** Marks the batch as running; undefined when it has ended or is missing. */
export const begin = Effect.fnUntraced(function* (tenantId: number, id: string) {
  const sql = yield* SqlClient.SqlClient
  const total = yield* countUndecided(tenantId)
  const [row] =
    yield* sql<Batch>`update bank_fetcher.batch set state = 'running', total = coalesce(total, ${total}::int)
    where id = ${id} and state in ('waiting', 'running') returning ${fields(sql)}`
  if (row !== undefined) yield* tell(row)
  return row
})

/** Claims a chunk for this transaction; false when another process has claimed it. */
export const claim = (id: string, { after, last, rows }: Chunk) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql`update bank_fetcher.batch set position = ${last}, done = done + ${rows}
        where id = ${id} and position = ${after} and state = 'running' returning 1`,
      (claimed) => claimed.length === 1
    )
  )

/** Adds the results of a chunk. */
export const record = Effect.fnUntraced(function* (id: string, counts: Counts) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Batch>`update bank_fetcher.batch set auto_matched = auto_matched + ${counts.auto_matched},
    suggested = suggested + ${counts.suggested}, ignored = ignored + ${counts.ignored},
    unmatched = unmatched + ${counts.unmatched}, total = greatest(total, done)
    where id = ${id} returning ${fields(sql)}`
  yield* tell(row!)
})

/** Ends the batch. `problem`: why it failed. */
export const finish = Effect.fnUntraced(function* (id: string, problem: string | null) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Batch>`update bank_fetcher.batch
    set state = ${problem === null ? "finished" : "failed"}, problem = ${problem}, finished_at = now(),
      total = case when ${problem === null} then done else total end
    where id = ${id} and state = 'running' returning ${fields(sql)}`
  if (row === undefined) return
  yield* tell(row)
  const { auto_matched, done, ignored, requested_by, state, suggested, tenant_id: tenantId, unmatched } = row
  yield* Audit.write({
    tenantId,
    actor: requested_by,
    action: `bank_batch.${state}`,
    entity: "bank_batch",
    id,
    detail: { done, auto_matched, suggested, ignored, unmatched }
  })
})

const tell = ({ auto_matched, done, id, ignored, state, suggested, tenant_id: tenantId, total, unmatched }: Batch) =>
  Effect.flatMap(Events, ({ emit }) =>
    emit(
      BatchProgress,
      source,
      { batch_id: id, tenant_id: tenantId, state, total, done, auto_matched, suggested, ignored, unmatched },
      { tenantId }
    )
  )
