/**
 * Begins an attempt: claims the target in the ledger before anything is sent. First attempts are begun in batches, so a
 * storm costs one commit per batch. Repeats and inherited attempts are begun one by one.
 */
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Exit, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { Events } from "#core/events/Events.ts"
import * as Batcher from "#core/sql/Batcher.ts"
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
          Effect.map(Effect.exit(beginFirst(ids)), (done) =>
            ids.map((id) => Exit.map(done, (rows) => rows.find((row) => row.id === id)))
          ),
        { most: batch }
      )
    }
  })
)

/**
 * The members of a target's record that its first claim changes. Derived from the claim rule; `since` is the due time
 * of each target and is set by the statement.
 */
const firstClaim = Object.fromEntries(
  Object.entries(RetryPlan.claim(RetryPlan.initial(0), 0)!).filter(
    ([name, value]) => RetryPlan.initial(0)[name as keyof RetryPlan.Target] !== value
  )
)

/**
 * Claims the due targets that no attempt has begun, in one statement: with a second statement, an alarm costs a fifth
 * more processor time. A test compares its result with `RetryPlan.claim`. Rows are locked by ascending id, so batches
 * wait and do not deadlock.
 */
const beginFirst = Effect.fnUntraced(function* (ids: ReadonlyArray<number>) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  const now = new Date()
  const { rung, told } = yield* ProgressEvents.tellingFirst(sql)
  return yield* sql<TargetRow>`with due as (select id from comm_dispatcher.target
        where id = any(${ids}::bigint[]) and state = 'pending' and record->>'begun' = '0' and due_at <= ${now}
        order by id for update),
      t as (update comm_dispatcher.target x set state = 'attempting', due_at = null, updated_at = now(),
        record = record || ${pg.json(firstClaim)}::jsonb || jsonb_build_object('since', record->'dueAt')
        from due where x.id = due.id returning x.*),
      noted as (insert into comm_dispatcher.attempt (target_id, tenant_id, number, state, started_at)
        select id, tenant_id, 1, 'attempting', ${now}::timestamptz from t),
      told as (${told})
    select ${sql.literal(rowColumns)}, ${rung} from t ${sql.literal(joinRun)}`
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
