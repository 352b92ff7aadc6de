/** A target with the run columns that an attempt needs, and the plan and request derived from them. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { alarmReceived } from "#core/contracts/Alarm.ts"
import type { Channel, Severity, TargetOptions } from "../../vocabulary/Exports.ts"
import { attemptIdOf, type DeliveryRequest, isIdempotent } from "../../channels/Exports.ts"
import type { AlarmConfig } from "../Settings.ts"
import type * as RetryPlan from "./RetryPlan.ts"
import { targetText } from "./TargetText.ts"

export interface TargetRow {
  readonly id: number
  readonly run_id: string
  readonly tenant_id: number
  readonly position: number
  readonly chain: number
  readonly step: number
  /** Fallbacks follow in its chain. */
  readonly has_fallback: boolean
  readonly channel: Channel
  readonly target: string
  readonly options: TargetOptions
  readonly record: RetryPlan.Target
  readonly idempotency_key: string
  readonly event_type: string
  readonly severity: Severity | null
  readonly malformed: boolean
  readonly subject: string
  readonly body: string
  readonly sender: string
  readonly reason: string | null
  readonly mode: string
  readonly retry: { readonly attempts: number; readonly pauseMinutes: number } | null
  readonly admit: string | null
  readonly private_ranges: boolean
  readonly received_at: Date
  /** A user asked for the run by the API. */
  readonly by_user: boolean
}

/** Columns of target `t` and run `r`. */
export const rowColumns = `t.id::float8 as id, t.run_id::text as run_id, t.tenant_id, t.position, t.chain, t.step,
  t.channel, t.target,
  t.options, t.record, t.idempotency_key::text as idempotency_key, r.event_type, r.severity, r.malformed, r.subject,
    r.body,
  r.sender, r.reason, r.mode, r.retry, r.admit, r.private_ranges, r.received_at, t.has_fallback,
  r.source ? 'user_id' as by_user`

/**
 * Joins the run of each target `t` as `r` by primary key. A plain join lets the planner scan all runs while statistics
 * say the table is small.
 */
export const joinRun = `cross join lateral (select * from comm_dispatcher.run r where r.id = t.run_id offset 0) r`

/** The row of a target; undefined when it was pruned with its run. */
export const load = (id: number, lock: "for update" | "unlocked") =>
  Effect.map(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) =>
        sql<TargetRow>`select ${sql.literal(rowColumns)}
        from comm_dispatcher.target t join comm_dispatcher.run r on r.id = t.run_id where t.id = ${id}
        ${sql.literal(lock === "for update" ? "for update of t" : "")}`
    ),
    (rows) => rows[0]
  )

/** Pause after a call of unknown outcome. Unit: minutes. Source: interface of the alarm path, 30 s. */
const callDoubtPause = 0.5

/** The retry rules of a target. Only ALERT and CRITICAL repeat a call of unknown outcome. */
export const planOf = (row: TargetRow, config: Pick<AlarmConfig, "minute">): RetryPlan.Plan => {
  const call = row.channel === "call"
  const grave = row.severity === "ALERT" || row.severity === "CRITICAL"
  return {
    retry: row.retry ?? undefined,
    idempotent: isIdempotent(row.channel),
    doubt: call && !grave ? "settle" : "repeat",
    doubtPause: call ? callDoubtPause : 0,
    hasFallback: row.has_fallback,
    minute: config.minute
  }
}

/** The delivery request of the attempt that `record` has begun, or of the next one. */
export const requestOf = (
  row: TargetRow,
  record: RetryPlan.Target,
  { alarmLanguage }: Pick<AlarmConfig, "alarmLanguage">,
  onPartSent: DeliveryRequest["onPartSent"]
): DeliveryRequest => {
  const attempt = record.state === "attempting" ? record.begun : record.begun + 1
  return {
    targetId: row.id,
    position: row.position,
    tenantId: row.tenant_id,
    runId: row.run_id,
    kind: row.event_type !== alarmReceived ? "request" : row.by_user ? "alarm" : "alarm_mail",
    eventType: row.event_type,
    channel: row.channel,
    target: row.target,
    options: row.options,
    severity: row.severity,
    ...targetText(row, alarmLanguage),
    sender: row.sender,
    receivedAt: row.received_at.toISOString(),
    attempt,
    attemptId: attemptIdOf(row.idempotency_key, attempt),
    dueAt: (record.state === "attempting" ? record.since : record.dueAt) ?? Date.now(),
    idempotencyKey: row.idempotency_key,
    possibleSecond: record.possibleSecond,
    lastReason: record.reason,
    partsSent: record.partsSent,
    onPartSent,
    admit: row.admit,
    privateRanges: row.private_ranges
  }
}
