/**
 * Records the outcome of an attempt: the target's new state and its next attempt. A finished target activates its
 * fallback, starts the next target of a sequential run, or finishes the run.
 */
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { Events } from "#core/events/Events.ts"
import * as JobBatch from "#core/jobs/JobBatch.ts"
import { type ClaimLost, Jobs } from "#core/jobs/Jobs.ts"
import type { Database } from "#core/sql/Database.ts"
import type { Channel } from "../../vocabulary/Exports.ts"
import type { Outcome } from "../../channels/Exports.ts"
import { acknowledgedReason, acknowledgeRun } from "../run/AcknowledgeRun.ts"
import type { AlarmConfig } from "../Settings.ts"
import { aheadOf, deliveries, deliveryOf, type DueTarget } from "./DeliveryJobs.ts"
import * as ProgressEvents from "./ProgressEvents.ts"
import * as RetryPlan from "./RetryPlan.ts"
import { type Finished, finishRuns } from "../run/FinishRun.ts"
import { planOf, type TargetRow } from "./TargetRow.ts"

/** An ended attempt. `record` is the target's record from the begin of the attempt. */
export interface EndedAttempt {
  readonly row: TargetRow
  readonly record: RetryPlan.Target
  readonly outcome: Outcome
}

/** The target's new record; and the run, when this outcome finished it. */
export interface Recorded {
  readonly next: RetryPlan.Target
  readonly finished: Finished | undefined
}

/**
 * Maximum number of outcomes in one transaction. Reason: above the jobs that one process handles at once; bounds the
 * row locks.
 */
const batch = 64

export class RecordOutcome extends Context.Service<
  RecordOutcome,
  {
    /** Records the outcome together with the completion of the job. Calls that arrive together share a transaction. */
    readonly record: (ended: EndedAttempt & JobBatch.WithJob) => Effect.Effect<Recorded, SqlError.SqlError | ClaimLost>
  }
>()("signalbox/comm-dispatcher/RecordOutcome") {}

export const layer = (
  config: AlarmConfig
): Layer.Layer<RecordOutcome, never, SqlClient.SqlClient | PgClient.PgClient | Database | Events | Jobs> =>
  Layer.effect(
    RecordOutcome,
    Effect.map(
      JobBatch.make((ends: ReadonlyArray<EndedAttempt & JobBatch.WithJob>) => recordAll(ends, config), { most: batch }),
      (record) => ({ record })
    )
  )

/** Records outcomes in the given order. */
const recordAll = Effect.fnUntraced(function* (ends: ReadonlyArray<EndedAttempt>, config: AlarmConfig) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  const now = Date.now()
  const nexts = yield* Effect.forEach(ends, ({ outcome, record, row }) =>
    suppressIfAcknowledged(row, RetryPlan.decide(record, outcome, now, planOf(row, config)))
  )
  const rows = ends.map(({ outcome, record, row }, index) => {
    const next = nexts[index]!
    return {
      id: row.id,
      begun: record.begun,
      state: next.state,
      record: next,
      due_at: next.dueAt === null ? null : new Date(next.dueAt).toISOString(),
      attempt_state: attemptState(outcome),
      detail: outcome._tag === "Delivered" ? outcome.detail : outcome.reason
    }
  })
  yield* sql`with e as (select * from jsonb_to_recordset(${pg.json(rows)}::jsonb)
        as e (id bigint, begun int, state text, record jsonb, due_at timestamptz, attempt_state text, detail text)),
      moved as (update comm_dispatcher.target t set state = e.state, record = e.record, due_at = e.due_at,
        updated_at = now()
        from e where t.id = e.id)
    update comm_dispatcher.attempt a set state = e.attempt_state, finished_at = now(), detail = e.detail
      from e where a.target_id = e.id and a.number = e.begun`
  yield* ProgressEvents.tell(
    ends.map(({ outcome, record, row }, index) => ({
      row,
      record: { ...nexts[index]!, begun: record.begun },
      attempt: attemptState(outcome)
    }))
  )
  const finished = new Map(yield* scheduleNext(ends.map(({ row }, index) => ({ row, next: nexts[index]! }))))
  for (const { outcome, row } of ends) {
    if (outcome._tag !== "Delivered" || outcome.acknowledged === undefined) continue
    const acknowledged = yield* acknowledgeRun(row.run_id, outcome.acknowledged)
    if (acknowledged._tag === "Some" && acknowledged.value.finished !== undefined)
      finished.set(row.run_id, acknowledged.value.finished)
  }
  // A finished run is answered once, with the first of its targets.
  return ends.map(({ row }, index): Recorded => {
    const end = finished.get(row.run_id)
    finished.delete(row.run_id)
    return { next: nexts[index]!, finished: end }
  })
})

/** State of an ended attempt. A request that was sent and not answered may have arrived. */
const attemptState = (outcome: Outcome) =>
  outcome._tag === "Delivered"
    ? "delivered"
    : outcome._tag === "Retryable" && outcome.reached === "perhaps"
      ? "uncertain"
      : "failed"

/** Stores a record that changed without an attempt, and schedules what follows. In the caller's transaction. */
export const storeRecord = Effect.fnUntraced(function* (row: TargetRow, record: RetryPlan.Target) {
  const next = yield* suppressIfAcknowledged(row, record)
  yield* yield* updating(row, next)
  return { next, finished: (yield* scheduleNext([{ row, next }])).get(row.run_id) } satisfies Recorded as Recorded
})

/** The statement that stores a record. */
export const updating = Effect.fnUntraced(function* (row: Pick<TargetRow, "id">, record: RetryPlan.Target) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  return sql`update comm_dispatcher.target set state = ${record.state}, record = ${pg.json(record)}, updated_at = now(),
      due_at = ${record.dueAt === null ? null : new Date(record.dueAt)} where id = ${row.id}`
})

/** Suppresses further attempts of an acknowledged run. Waits for an acknowledgement that is being committed. */
const suppressIfAcknowledged = Effect.fnUntraced(function* (row: TargetRow, next: RetryPlan.Target) {
  if (RetryPlan.isFinal(next)) return next
  const sql = yield* SqlClient.SqlClient
  const [run] = yield* sql<{ by: string | null }>`
    select acknowledged_by as by from comm_dispatcher.run where id = ${row.run_id}::uuid for share`
  return run === undefined || run.by === null || next.begun === 0
    ? next
    : RetryPlan.suppress(next, acknowledgedReason(run.by))
})

interface Moved {
  readonly row: TargetRow
  readonly next: RetryPlan.Target
}

/** Sends the job of the next attempt, or finishes the target. Returns the runs that finished. */
const scheduleNext = Effect.fnUntraced(function* (moved: ReadonlyArray<Moved>) {
  const finished = moved.filter(({ next }) => RetryPlan.isFinal(next))
  for (const { next, row } of moved) if (!RetryPlan.isFinal(next)) yield* sendJob(row, row, next.dueAt ?? Date.now())
  return yield* finishTargets(finished)
})

/** Sends the delivery job of `target`. The row is of the same run. */
const sendJob = Effect.fnUntraced(function* (
  target: Omit<DueTarget, "severity">,
  { by_user, severity, tenant_id }: TargetRow,
  dueAt: number
) {
  const due = { ...target, severity }
  const jobs = yield* Jobs
  const queued = by_user ? yield* aheadOf(tenant_id, due) : undefined
  yield* jobs.send(deliveries[target.channel], [{ ...deliveryOf(due, queued), startAfter: new Date(dueAt) }])
})

/**
 * Activates fallbacks, finishes runs, and starts the next target of sequential runs. Returns the runs that finished.
 */
export const finishTargets = Effect.fnUntraced(function* (targets: ReadonlyArray<Moved>) {
  const sql = yield* SqlClient.SqlClient
  const last: Array<TargetRow> = []
  for (const { next, row } of targets) if (!(row.has_fallback && (yield* activateFallback(row, next)))) last.push(row)
  const finished = yield* finishRuns([...new Set(last.map(({ run_id }) => run_id))])
  for (const row of last) {
    if (!finished.has(row.run_id) && row.mode === "sequential") {
      const [next] = yield* sql<{
        id: number
        channel: Channel
        target: string
      }>`select id::float8 as id, channel, target from comm_dispatcher.target
        where run_id = ${row.run_id}::uuid and chain > ${row.chain} and step = 0 and state = 'pending'
          order by position limit 1`
      if (next !== undefined) yield* sendJob(next, row, Date.now())
    }
  }
  return finished
})

/**
 * Activates the next fallback of a failed or uncertain target; suppresses the fallbacks of a delivered one. Returns
 * whether one is active.
 */
const activateFallback = Effect.fnUntraced(function* (row: TargetRow, ended: RetryPlan.Target) {
  const sql = yield* SqlClient.SqlClient
  const waiting = yield* sql<{ id: number; channel: Channel; target: string; record: RetryPlan.Target }>`
    select id::float8 as id, channel, target, record from comm_dispatcher.target
     where run_id = ${row.run_id}::uuid and chain = ${row.chain} and step > ${row.step} and state = 'pending'
     order by step for update`
  const now = Date.now()
  if (RetryPlan.isMissed(ended)) {
    const [next] = waiting
    if (next === undefined) return false
    yield* yield* updating(next, RetryPlan.activate(next.record, now))
    yield* sendJob(next, row, now)
    return true
  }
  const reason =
    ended.state === "delivered"
      ? `not needed: ${row.channel} ${row.target} was reached`
      : (ended.reason ?? "not needed")
  for (const one of waiting) yield* yield* updating(one, RetryPlan.suppress(one.record, reason))
  return false
})
