/**
 * Begins an attempt: claims the target in the ledger before anything is sent. First attempts are begun in batches, so a
 * storm costs one commit per batch. Repeats and inherited attempts are begun one by one.
 */
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Exit, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { Events } from "#core/events/Events.ts"
import * as Batcher from "#core/sql/Batcher.ts"
import { transaction } from "#core/sql/Sql.ts"
import { Channels, isIdempotent } from "../../channels/Exports.ts"
import type { AlarmConfig } from "../Settings.ts"
import type { DeliveryJob } from "./DeliveryJobs.ts"
import * as ProgressEvents from "./ProgressEvents.ts"
import { finishTargets, storeRecord, updating } from "./RecordOutcome.ts"
import * as RetryPlan from "./RetryPlan.ts"
import { joinRun, load, planOf, rowColumns, type TargetRow } from "./TargetRow.ts"

/**
 * Maximum number of targets in one transaction. Reason: above the jobs that one process handles at once; bounds the row
 * locks.
 */
const batch = 64

export class BeginAttempt extends Context.Service<
  BeginAttempt,
  {
    /**
     * Begins the first attempt at a target. Undefined for a target that is not due, or that an attempt has begun
     * before.
     */
    readonly first: (targetId: number) => Effect.Effect<TargetRow | undefined, SqlError.SqlError>
  }
>()("signalbox/comm-dispatcher/BeginAttempt") {}

export const layer: Layer.Layer<BeginAttempt, never, SqlClient.SqlClient | PgClient.PgClient | Events> = Layer.effect(
  BeginAttempt,
  Effect.gen(function* () {
    return {
      first: yield* Batcher.make(
        (ids: ReadonlyArray<number>) =>
          Effect.map(Effect.exit(transaction(beginFirst(ids))), (done) =>
            ids.map((id) => Exit.map(done, (rows) => rows.find((row) => row.id === id)))
          ),
        { most: batch }
      )
    }
  })
)

/**
 * Claims the targets that no attempt has begun. Rows are locked by ascending id, so batches wait and do not deadlock.
 */
const beginFirst = Effect.fnUntraced(function* (ids: ReadonlyArray<number>) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  const now = Date.now()
  const rows = yield* sql<TargetRow>`select ${sql.literal(rowColumns)} from (select * from comm_dispatcher.target
        where id = any(${ids}::bigint[]) and record->>'begun' = '0' order by id for update) t ${sql.literal(joinRun)}`
  const claimed = rows.flatMap((row): ReadonlyArray<TargetRow> => {
    const record = RetryPlan.claim(row.record, now)
    return record === undefined ? [] : [{ ...row, record }]
  })
  if (claimed.length === 0) return claimed
  const { rung, told } = yield* ProgressEvents.tellingFirst(sql)
  const records = claimed.map(({ id, record }) => ({ id, state: record.state, due_at: record.dueAt, record }))
  yield* sql`with c as (select * from jsonb_to_recordset(${pg.json(records)}::jsonb)
        as c (id bigint, state text, due_at timestamptz, record jsonb)),
      t as (update comm_dispatcher.target x set state = c.state, due_at = c.due_at, record = c.record,
        updated_at = now()
        from c where x.id = c.id returning x.*),
      noted as (insert into comm_dispatcher.attempt (target_id, tenant_id, number, state, started_at)
        select id, tenant_id, 1, 'attempting', ${new Date(now)}::timestamptz from t),
      told as (${told})
    select ${rung} from t`
  return claimed
})

/**
 * Begins the attempt that is due at a target, in the caller's transaction.
 * - `Begun`: claimed; the delivery may start.
 * - `Inherited`: an attempt of a process that died, whose outcome the channel can be asked for.
 * - `Over`: nothing to send. The job is completed.
 */
export const beginAttempt = Effect.fnUntraced(function* (job: DeliveryJob, config: AlarmConfig) {
  const { recoveries } = yield* Channels
  const row = yield* load(job.data.target_id, "for update")
  if (row?.record.state === "attempting" && recoveries[row.channel] !== undefined) {
    return { _tag: "Inherited" as const, row, record: row.record }
  }
  if (row === undefined) {
    // Pruned together with its run.
    yield* job.complete
    return { _tag: "Over" as const, finished: undefined }
  }
  const now = Date.now()
  const record = row.record.state === "attempting" ? yield* endInterrupted(row, config) : row.record
  const claimed = RetryPlan.claim(record, now)
  if (claimed === undefined) {
    yield* job.complete
    if (RetryPlan.isFinal(row.record)) {
      const finished = (yield* finishTargets([{ row, next: row.record }])).get(row.run_id)
      return { _tag: "Over" as const, finished }
    }
    // A clock that jumped made the job early: it is sent again. A fallback whose turn has not come has no due time.
    const waits = record.dueAt === null && !RetryPlan.isFinal(record)
    return { _tag: "Over" as const, finished: waits ? undefined : (yield* storeRecord(row, record)).finished }
  }
  const sql = yield* SqlClient.SqlClient
  yield* sql`with begun as (${yield* updating(row, claimed)} returning id, tenant_id)
    insert into comm_dispatcher.attempt (target_id, tenant_id, number, state, started_at)
    select id, tenant_id, ${claimed.begun}::int, 'attempting', ${new Date(now)}::timestamptz from begun`
  yield* ProgressEvents.tell([{ row, record: claimed, attempt: "attempting" }])
  return { _tag: "Begun" as const, row, record: claimed }
})

/** Ends the attempt of a process that died, with no outcome known. Returns the record; storing it is the caller's. */
export const endInterrupted = Effect.fnUntraced(function* (row: TargetRow, config: AlarmConfig) {
  const sql = yield* SqlClient.SqlClient
  const state = isIdempotent(row.channel) ? "interrupted" : "uncertain"
  yield* sql`update comm_dispatcher.attempt set state = ${state}, finished_at = now(),
    detail = 'the process died before it knew' where target_id = ${row.id} and state = 'attempting'`
  const next = RetryPlan.decide(row.record, { _tag: "Interrupted" }, Date.now(), planOf(row, config))
  yield* ProgressEvents.tell([{ row, record: { state: next.state, begun: row.record.begun }, attempt: state }])
  return next
})
