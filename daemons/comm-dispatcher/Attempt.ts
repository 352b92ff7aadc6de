/**
 * One attempt at one target: claim it in the ledger, deliver with no transaction open, record the end together with the
 * completion of the claim. The decisions are RetryPlan's. Whoever finds a target `attempting` has inherited it from a
 * process that died, because a live one holds the job.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as Backoff from "#core/Backoff.ts"
import { AlarmFinished } from "#core/contracts/Alarm.ts"
import { Events } from "#core/Events.ts"
import { type ClaimedJob, type ClaimLost, Jobs } from "#core/Jobs.ts"
import { transaction } from "#core/Sql.ts"
import type { Channel, Severity } from "./AlarmSubject.ts"
import { Channels, type DeliveryRequest, isIdempotent } from "./Channels.ts"
import type { CommConfig } from "./Config.ts"
import { deliveries, priorityOf } from "./Deliveries.ts"
import type { Outcome } from "./channels/Outcome.ts"
import * as RetryPlan from "./RetryPlan.ts"
import { Facts, type Part, sightingOf } from "./Facts.ts"
import { type Finished, finishRun } from "./RunEnd.ts"
import { maxReasonLength, storable } from "./StorableText.ts"

type Job = ClaimedJob<{ readonly target_id: number }>

interface TargetRow {
  readonly id: number
  readonly run_id: string
  readonly tenant_id: number
  readonly position: number
  readonly channel: Channel
  readonly target: string
  readonly record: RetryPlan.Target
  readonly idempotency_key: string
  readonly event_type: string
  readonly severity: Severity | null
  readonly subject: string
  readonly body: string
  readonly sender: string
  readonly reason: string | null
  readonly mode: string
  readonly retry: { readonly attempts: number; readonly pauseMinutes: number } | null
  readonly admit: string | null
  readonly received_at: Date
}

/** Works on one delivery job; answers the run when this was its last target. */
export const attempt = Effect.fn("comm.attempt")(function*(job: Job, config: CommConfig) {
  const begun = (yield* beginFirst(job)) ?? (yield* transaction(begin(job, config)))
  if (begun._tag === "Over") return begun.finished
  const channels = yield* Channels
  const services = yield* Effect.context<SqlClient.SqlClient | PgClient.PgClient>()
  let record = begun.record
  const outcome = yield* channels.deliver({
    ...requestOf(begun.row, record),
    onPartSent: (partsSent) => {
      record = RetryPlan.withPartsSent(record, partsSent)
      // Only spares a crash the parts behind us; the outcome tells them again.
      return Effect.ignore(Effect.provideContext(notePart(begun.row, record), services))
    }
  })
  yield* noteFact(begun.row.channel, outcome)
  // The message is out: while the database is away the outcome waits here rather than being forgotten and sent again.
  let told = false
  return yield* transaction(conclude(job, begun.row, record, withStorableText(outcome), config)).pipe(
    Effect.tapError((error: SqlError.SqlError | ClaimLost) => {
      if (error._tag !== "SqlError" || told) return Effect.void
      told = true
      return Effect.logWarning(`an outcome waits to be recorded: ${error.message}`, { run: begun.row.run_id })
    }),
    Effect.retry({ while: (error) => error._tag === "SqlError", schedule: Backoff.schedule(Backoff.eager) })
  )
})

const parts: Partial<Record<Channel, Part>> = { messenger: "messenger", webhook: "webhook" }

const noteFact = Effect.fnUntraced(function*(channel: Channel, outcome: Outcome) {
  const part = parts[channel]
  const sighting = part === undefined ? undefined : sightingOf(outcome, Date.now())
  if (part !== undefined && sighting !== undefined) yield* (yield* Facts).note(part, sighting)
})

/** The other side's words may hold what the ledger cannot; then the outcome could never be recorded. */
const withStorableText = (outcome: Outcome): Outcome =>
  outcome._tag === "Delivered"
    ? { ...outcome, detail: storable(outcome.detail, maxReasonLength) }
    : { ...outcome, reason: storable(outcome.reason, maxReasonLength) }

const planOf = (row: TargetRow, config: CommConfig): RetryPlan.Plan => ({
  retry: row.retry ?? undefined,
  idempotent: isIdempotent(row.channel),
  minute: config.minute
})

const rowColumns = `t.id::float8 as id, t.run_id::text as run_id, t.tenant_id, t.position, t.channel, t.target, t.record,
  t.idempotency_key::text as idempotency_key, r.event_type, r.severity, r.subject, r.body, r.sender, r.reason, r.mode,
  r.retry, r.admit, r.received_at`

/** The record of every target at its first attempt. */
const firstRecord = RetryPlan.claim(RetryPlan.initial(0), 0)!

/** Begins a target that was never tried, in one statement; undefined for all others, which take the long way. */
const beginFirst = Effect.fnUntraced(function*(job: Job) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  const now = new Date()
  const [row] = yield* sql<TargetRow>`with t as (update comm_dispatcher.target
        set state = 'attempting', record = ${pg.json(firstRecord)}, due_at = null, updated_at = now()
        where id = ${job.data.target_id} and state = 'pending' and record->>'begun' = '0' and due_at <= ${now} returning *),
      noted as (insert into comm_dispatcher.attempt (target_id, tenant_id, number, state, started_at)
        select id, tenant_id, 1, 'attempting', ${now}::timestamptz from t)
    select ${sql.literal(rowColumns)} from t join comm_dispatcher.run r on r.id = t.run_id`
  return row === undefined ? undefined : { _tag: "Begun" as const, row, record: firstRecord }
})

const load = (id: number) =>
  Effect.map(
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      sql<TargetRow>`select ${sql.literal(rowColumns)}
        from comm_dispatcher.target t join comm_dispatcher.run r on r.id = t.run_id where t.id = ${id} for update of t`),
    (rows) => rows[0]
  )

const begin = Effect.fnUntraced(function*(job: Job, config: CommConfig) {
  const over = (finished: Finished | undefined) => ({ _tag: "Over" as const, finished })
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  const row = yield* load(job.data.target_id)
  if (row === undefined) {
    // Pruned with its run; nothing is left to send.
    yield* job.complete
    return over(undefined)
  }
  const now = Date.now()
  let record = row.record
  if (record.state === "attempting") {
    record = RetryPlan.decide(record, { _tag: "Interrupted" }, now, planOf(row, config))
    yield* sql`update comm_dispatcher.attempt set state = ${isIdempotent(row.channel) ? "interrupted" : "uncertain"},
      finished_at = now(), detail = 'the process died before it knew' where target_id = ${row.id} and state = 'attempting'`
  }
  if (RetryPlan.isFinal(record)) {
    yield* store(row, record)
    yield* job.complete
    return over(yield* afterwards(row))
  }
  const claimed = RetryPlan.claim(record, now)
  if (claimed === undefined) {
    // Early, by a clock that jumped: the job goes back to its time.
    yield* store(row, record)
    yield* again(row, record.dueAt ?? now)
    yield* job.complete
    return over(undefined)
  }
  yield* sql`with begun as (${update(sql, pg, row, claimed)} returning id, tenant_id)
    insert into comm_dispatcher.attempt (target_id, tenant_id, number, state, started_at)
    select id, tenant_id, ${claimed.begun}::int, 'attempting', ${new Date(now)}::timestamptz from begun`
  return { _tag: "Begun" as const, row, record: claimed }
})

const conclude = Effect.fnUntraced(function*(
  job: Job,
  row: TargetRow,
  record: RetryPlan.Target,
  outcome: Outcome,
  config: CommConfig
) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  const next = RetryPlan.decide(record, outcome, Date.now(), planOf(row, config))
  const state = next.state === "delivered" ? "delivered" : next.state === "uncertain" ? "uncertain" : "failed"
  const detail = outcome._tag === "Delivered" ? outcome.detail : outcome.reason
  yield* job.complete
  yield* sql`with ended as (${update(sql, pg, row, next)} returning id)
    update comm_dispatcher.attempt a set state = ${state}, finished_at = now(), detail = ${detail}
      from ended where a.target_id = ended.id and a.number = ${record.begun}`
  if (!RetryPlan.isFinal(next)) {
    yield* again(row, next.dueAt ?? Date.now())
    return undefined
  }
  return yield* afterwards(row)
})

const update = (sql: SqlClient.SqlClient, pg: PgClient.PgClient, row: TargetRow, record: RetryPlan.Target) =>
  sql`update comm_dispatcher.target set state = ${record.state}, record = ${pg.json(record)}, updated_at = now(),
      due_at = ${record.dueAt === null ? null : new Date(record.dueAt)} where id = ${row.id}`

const store = Effect.fnUntraced(function*(row: TargetRow, record: RetryPlan.Target) {
  yield* update(yield* SqlClient.SqlClient, yield* PgClient.PgClient, row, record)
})

/** Outside the claim's own transactions, so it holds only as long as this very attempt is under way. */
const notePart = Effect.fnUntraced(function*(row: TargetRow, record: RetryPlan.Target) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  yield* sql`update comm_dispatcher.target set record = ${pg.json(record)}, updated_at = now()
    where id = ${row.id} and state = 'attempting' and (record->>'begun')::int = ${record.begun}`
})

const again = (row: Pick<TargetRow, "id" | "channel" | "severity">, dueAt: number) =>
  Effect.flatMap(Jobs, (jobs) =>
    jobs.send(deliveries[row.channel], [{
      data: { target_id: row.id },
      startAfter: new Date(dueAt),
      priority: priorityOf[row.severity ?? "WARNING"]
    }]))

/** What follows a target's end: the next one of a sequential run, or the end of the run. */
const afterwards = Effect.fnUntraced(function*(row: TargetRow) {
  const sql = yield* SqlClient.SqlClient
  const finished = yield* finishRun(row.run_id)
  if (finished !== undefined) {
    const events = yield* Events
    yield* events.emit(AlarmFinished, "comm-dispatcher", finished, { tenantId: row.tenant_id })
    return finished
  }
  if (row.mode === "sequential") {
    const [next] = yield* sql<{ id: number; channel: Channel }>`select id::float8 as id, channel from comm_dispatcher.target
      where run_id = ${row.run_id}::uuid and position > ${row.position} and state = 'pending' order by position limit 1`
    if (next !== undefined) yield* again({ ...next, severity: row.severity }, Date.now())
  }
  return undefined
})

const requestOf = (row: TargetRow, record: RetryPlan.Target): Omit<DeliveryRequest, "onPartSent"> => ({
  runId: row.run_id,
  eventType: row.event_type,
  channel: row.channel,
  target: row.target,
  severity: row.severity,
  subject: row.subject,
  text: row.severity === null
    ? `An alarm mail from ${row.sender} was not understood. ${row.reason ?? ""} Its subject: ${row.subject}`
    : row.body.trim() === ""
    ? row.subject
    : row.body,
  sender: row.sender,
  receivedAt: row.received_at.toISOString(),
  attempt: record.begun,
  idempotencyKey: row.idempotency_key,
  possibleSecond: record.possibleSecond,
  partsSent: record.partsSent,
  admit: row.admit
})
