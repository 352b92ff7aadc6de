/**
 * What follows an attempt, or one that was put off: the target's new state, its next time, and when it is over, the next
 * of its chain, the next of a sequential run, or the end of the run. Inside the caller's transaction.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { AlarmFinished } from "#core/contracts/Alarm.ts"
import { Events } from "#core/events/Events.ts"
import { Jobs } from "#core/jobs/Jobs.ts"
import type { Channel } from "../../vocabulary/Exports.ts"
import type { Outcome } from "../../channels/Exports.ts"
import * as Acknowledgement from "../run/AcknowledgeRun.ts"
import type { AlarmConfig } from "../Settings.ts"
import { deliveries, deliveryOf } from "./DeliveryJobs.ts"
import * as Progress from "./ProgressEvents.ts"
import * as RetryPlan from "./RetryPlan.ts"
import { type Finished, finishRuns } from "../run/FinishRun.ts"
import { planOf, type TargetRow } from "./TargetRow.ts"

/** One attempt and how it ended. `record` is the target's as it was begun. */
export interface Ended {
  readonly row: TargetRow
  readonly record: RetryPlan.Target
  readonly outcome: Outcome
}

/** What became of the target; and of its run, when that was its end. */
export interface Concluded {
  readonly next: RetryPlan.Target
  readonly finished: Finished | undefined
}

/** Records how attempts ended, in the order given. */
export const conclude = Effect.fnUntraced(function* (ends: ReadonlyArray<Ended>, config: AlarmConfig) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  const now = Date.now()
  const nexts = yield* Effect.forEach(ends, ({ outcome, record, row }) =>
    unlessAcknowledged(row, RetryPlan.decide(record, outcome, now, planOf(row, config)))
  )
  const rows = ends.map(({ outcome, record, row }, index) => {
    const next = nexts[index]!
    return {
      id: row.id,
      begun: record.begun,
      state: next.state,
      record: next,
      due_at: next.dueAt === null ? null : new Date(next.dueAt).toISOString(),
      attempt_state: attemptState(next),
      detail: outcome._tag === "Delivered" ? outcome.detail : outcome.reason
    }
  })
  yield* sql`with e as (select * from jsonb_to_recordset(${pg.json(rows)}::jsonb)
        as e (id bigint, begun int, state text, record jsonb, due_at timestamptz, attempt_state text, detail text)),
      moved as (update comm_dispatcher.target t set state = e.state, record = e.record, due_at = e.due_at, updated_at = now()
        from e where t.id = e.id)
    update comm_dispatcher.attempt a set state = e.attempt_state, finished_at = now(), detail = e.detail
      from e where a.target_id = e.id and a.number = e.begun`
  yield* Progress.tell(
    ends.map(({ record, row }, index) => ({
      row,
      record: { ...nexts[index]!, begun: record.begun },
      attempt: attemptState(nexts[index]!)
    }))
  )
  const finished = new Map(yield* goOn(ends.map(({ row }, index) => ({ row, next: nexts[index]! }))))
  for (const { outcome, row } of ends) {
    if (outcome._tag !== "Delivered" || outcome.acknowledged === undefined) continue
    const acknowledged = yield* Acknowledgement.acknowledge(row.run_id, outcome.acknowledged)
    if (acknowledged._tag === "Some" && acknowledged.value.finished !== undefined)
      finished.set(row.run_id, acknowledged.value.finished)
  }
  // The run's end is told once, with the first of its targets.
  return ends.map(({ row }, index): Concluded => {
    const end = finished.get(row.run_id)
    finished.delete(row.run_id)
    return { next: nexts[index]!, finished: end }
  })
})

/** How the attempt ended that led to this. */
const attemptState = ({ state }: RetryPlan.Target) =>
  state === "delivered" || state === "uncertain" ? state : "failed"

/** Stores a record that no attempt led to, and what follows from it. */
export const settle = Effect.fnUntraced(function* (row: TargetRow, record: RetryPlan.Target) {
  const next = yield* unlessAcknowledged(row, record)
  yield* yield* updating(row, next)
  return { next, finished: (yield* goOn([{ row, next }])).get(row.run_id) } satisfies Concluded as Concluded
})

/** The statement that stores the record. */
export const updating = Effect.fnUntraced(function* (row: Pick<TargetRow, "id">, record: RetryPlan.Target) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  return sql`update comm_dispatcher.target set state = ${record.state}, record = ${pg.json(record)}, updated_at = now(),
      due_at = ${record.dueAt === null ? null : new Date(record.dueAt)} where id = ${row.id}`
})

/** A run that was taken on in the meantime sends nothing again. Waits for whoever is just acknowledging it. */
const unlessAcknowledged = Effect.fnUntraced(function* (row: TargetRow, next: RetryPlan.Target) {
  if (RetryPlan.isFinal(next)) return next
  const sql = yield* SqlClient.SqlClient
  const [run] = yield* sql<{ by: string | null }>`
    select acknowledged_by as by from comm_dispatcher.run where id = ${row.run_id}::uuid for share`
  return run === undefined || run.by === null || next.begun === 0
    ? next
    : RetryPlan.suppress(next, Acknowledgement.reasonOf(run.by))
})

interface Moved {
  readonly row: TargetRow
  readonly next: RetryPlan.Target
}

/** What follows: another attempt, or what comes after the target's end. Answers the runs that ended by it. */
const goOn = Effect.fnUntraced(function* (moved: ReadonlyArray<Moved>) {
  const over = moved.filter(({ next }) => RetryPlan.isFinal(next))
  for (const { next, row } of moved) if (!RetryPlan.isFinal(next)) yield* again(row, next.dueAt ?? Date.now())
  return yield* afterwards(over)
})

const again = (row: Pick<TargetRow, "id" | "channel" | "severity" | "target">, dueAt: number) =>
  Effect.flatMap(Jobs, (jobs) =>
    jobs.send(deliveries[row.channel], [
      { ...deliveryOf(row.id, row.channel, row.target, row.severity), startAfter: new Date(dueAt) }
    ])
  )

/** What follows the end of targets. Answers the runs that ended by it. */
export const afterwards = Effect.fnUntraced(function* (over: ReadonlyArray<Moved>) {
  const sql = yield* SqlClient.SqlClient
  const last: Array<TargetRow> = []
  for (const { next, row } of over) if (!(row.has_fallback && (yield* takeUpFallback(row, next)))) last.push(row)
  const finished = yield* finishRuns([...new Set(last.map(({ run_id }) => run_id))])
  const tenantOf = new Map(last.map((row) => [row.run_id, row.tenant_id]))
  const events = yield* Events
  yield* events.emitAll(
    AlarmFinished,
    "comm-dispatcher",
    [...finished.values()].map((data) => ({ data, audience: { tenantId: tenantOf.get(data.run_id)! } }))
  )
  for (const row of last) {
    if (!finished.has(row.run_id) && row.mode === "sequential") {
      const [next] = yield* sql<{
        id: number
        channel: Channel
        target: string
      }>`select id::float8 as id, channel, target from comm_dispatcher.target
        where run_id = ${row.run_id}::uuid and chain > ${row.chain} and step = 0 and state = 'pending' order by position limit 1`
      if (next !== undefined) yield* again({ ...next, severity: row.severity }, Date.now())
    }
  }
  return finished
})

/** The next of a failed target's chain takes its turn; behind a delivered one nobody is needed. Whether one took it. */
const takeUpFallback = Effect.fnUntraced(function* (row: TargetRow, ended: RetryPlan.Target) {
  const sql = yield* SqlClient.SqlClient
  const waiting = yield* sql<{ id: number; channel: Channel; target: string; record: RetryPlan.Target }>`
    select id::float8 as id, channel, target, record from comm_dispatcher.target
     where run_id = ${row.run_id}::uuid and chain = ${row.chain} and step > ${row.step} and state = 'pending'
     order by step for update`
  const now = Date.now()
  if (ended.state === "failed") {
    const [next] = waiting
    if (next === undefined) return false
    yield* yield* updating(next, RetryPlan.activate(next.record, now))
    yield* again({ ...next, severity: row.severity }, now)
    return true
  }
  const reason =
    ended.state === "delivered"
      ? `not needed: ${row.channel} ${row.target} was reached`
      : (ended.reason ?? "not needed")
  for (const one of waiting) yield* yield* updating(one, RetryPlan.suppress(one.record, reason))
  return false
})
