/**
 * What follows an attempt, or one that was put off: the target's new state, its next time, and when it is over, the next
 * of its chain, the next of a sequential run, or the end of the run. Inside the caller's transaction.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { AlarmFinished } from "#core/contracts/Alarm.ts"
import { Events } from "#core/Events.ts"
import { Jobs } from "#core/Jobs.ts"
import * as Acknowledgement from "./Acknowledgement.ts"
import type { Channel } from "./AlarmSubject.ts"
import type { CommConfig } from "./Config.ts"
import { deliveries, priorityOf } from "./Deliveries.ts"
import type { Outcome } from "./channels/Outcome.ts"
import * as RetryPlan from "./RetryPlan.ts"
import { finishRun } from "./RunEnd.ts"
import { planOf, type TargetRow } from "./TargetRow.ts"

/** Records how the attempt that `record` had begun ended; answers what became of the target, and the run when that was its end. */
export const conclude = Effect.fnUntraced(function*(row: TargetRow, record: RetryPlan.Target, outcome: Outcome, config: CommConfig) {
  const sql = yield* SqlClient.SqlClient
  const next = yield* unlessAcknowledged(row, RetryPlan.decide(record, outcome, Date.now(), planOf(row, config)))
  const state = next.state === "delivered" ? "delivered" : next.state === "uncertain" ? "uncertain" : "failed"
  const detail = outcome._tag === "Delivered" ? outcome.detail : outcome.reason
  yield* sql`with ended as (${yield* updating(row, next)} returning id)
    update comm_dispatcher.attempt a set state = ${state}, finished_at = now(), detail = ${detail}
      from ended where a.target_id = ended.id and a.number = ${record.begun}`
  const finished = yield* goOn(row, next)
  if (outcome._tag !== "Delivered" || outcome.acknowledged === undefined) return { next, finished }
  const acknowledged = yield* Acknowledgement.acknowledge(row.run_id, outcome.acknowledged)
  return { next, finished: acknowledged._tag === "Some" ? acknowledged.value.finished ?? finished : finished }
})

/** Stores a record that no attempt led to, and what follows from it; answers as `conclude`. */
export const settle = Effect.fnUntraced(function*(row: TargetRow, record: RetryPlan.Target) {
  const next = yield* unlessAcknowledged(row, record)
  yield* yield* updating(row, next)
  return { next, finished: yield* goOn(row, next) }
})

/** The statement that stores the record. */
export const updating = Effect.fnUntraced(function*(row: Pick<TargetRow, "id">, record: RetryPlan.Target) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  return sql`update comm_dispatcher.target set state = ${record.state}, record = ${pg.json(record)}, updated_at = now(),
      due_at = ${record.dueAt === null ? null : new Date(record.dueAt)} where id = ${row.id}`
})

/** A run that was taken on in the meantime sends nothing again. Waits for whoever is just acknowledging it. */
const unlessAcknowledged = Effect.fnUntraced(function*(row: TargetRow, next: RetryPlan.Target) {
  if (RetryPlan.isFinal(next)) return next
  const sql = yield* SqlClient.SqlClient
  const [run] = yield* sql<{ by: string | null }>`
    select acknowledged_by as by from comm_dispatcher.run where id = ${row.run_id}::uuid for share`
  return run === undefined || run.by === null || next.begun === 0 ? next : RetryPlan.suppress(next, Acknowledgement.reasonOf(run.by))
})

const goOn = Effect.fnUntraced(function*(row: TargetRow, next: RetryPlan.Target) {
  if (RetryPlan.isFinal(next)) return yield* afterwards(row, next)
  yield* again(row, next.dueAt ?? Date.now())
  return undefined
})

const again = (row: Pick<TargetRow, "id" | "channel" | "severity">, dueAt: number) =>
  Effect.flatMap(Jobs, (jobs) =>
    jobs.send(deliveries[row.channel], [{
      data: { target_id: row.id },
      startAfter: new Date(dueAt),
      priority: priorityOf[row.severity ?? "WARNING"]
    }]))

/** What follows a target's end. */
export const afterwards = Effect.fnUntraced(function*(row: TargetRow, ended: RetryPlan.Target) {
  const sql = yield* SqlClient.SqlClient
  if (row.has_fallback && (yield* takeUpFallback(row, ended))) return undefined
  const finished = yield* finishRun(row.run_id)
  if (finished !== undefined) {
    const events = yield* Events
    yield* events.emit(AlarmFinished, "comm-dispatcher", finished, { tenantId: row.tenant_id })
    return finished
  }
  if (row.mode === "sequential") {
    const [next] = yield* sql<{ id: number; channel: Channel }>`select id::float8 as id, channel from comm_dispatcher.target
      where run_id = ${row.run_id}::uuid and chain > ${row.chain} and step = 0 and state = 'pending' order by position limit 1`
    if (next !== undefined) yield* again({ ...next, severity: row.severity }, Date.now())
  }
  return undefined
})

/** The next of a failed target's chain takes its turn; behind a delivered one nobody is needed. Whether one took it. */
const takeUpFallback = Effect.fnUntraced(function*(row: TargetRow, ended: RetryPlan.Target) {
  const sql = yield* SqlClient.SqlClient
  const waiting = yield* sql<{ id: number; channel: Channel; record: RetryPlan.Target }>`
    select id::float8 as id, channel, record from comm_dispatcher.target
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
  const reason = ended.state === "delivered" ? `not needed: ${row.channel} ${row.target} was reached` : ended.reason ?? "not needed"
  for (const one of waiting) yield* yield* updating(one, RetryPlan.suppress(one.record, reason))
  return false
})
