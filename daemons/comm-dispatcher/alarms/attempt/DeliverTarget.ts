/**
 * Delivers one alarm to one target: takes the channel's turn, claims the target in the ledger, delivers with no
 * transaction open, and records the outcome together with the completion of the job. RetryPlan decides. A target that
 * is `attempting` here belongs to a process that died, because a live process would hold the job.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect, Option } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as Backoff from "#core/supervision/Backoff.ts"
import { alarmReceived } from "#core/contracts/Alarm.ts"
import type { ClaimLost } from "#core/jobs/Jobs.ts"
import { transaction } from "#core/sql/Sql.ts"
import { type Channel, maxReasonLength, storable } from "../../vocabulary/Exports.ts"
import {
  Channels,
  type Deliver,
  type Outcome,
  type Part,
  PeerHealth,
  sightingOf,
  type TakeTurn,
  type Turn
} from "../../channels/Exports.ts"
import { countAttempt } from "../AlarmMetrics.ts"
import { RecordOutcome, storeRecord } from "./RecordOutcome.ts"
import type { DeliveryJob } from "./DeliveryJobs.ts"
import type { AlarmConfig } from "../Settings.ts"
import * as RetryPlan from "./RetryPlan.ts"
import type { Finished } from "../run/FinishRun.ts"
import { BeginAttempt, beginAttempt, endInterrupted } from "./BeginAttempt.ts"
import { load, planOf, requestOf, type TargetRow } from "./TargetRow.ts"
import { Undelivered } from "../watch/Undelivered.ts"

/** Works on one delivery job of a channel. Returns the run when this was its last target. */
export const deliverTarget = Effect.fn("comm.attempt")(function* (
  job: DeliveryJob,
  channel: Channel,
  config: AlarmConfig
) {
  const channels = yield* Channels
  return yield* Effect.scoped(
    Effect.gen(function* () {
      const take = channels.turns[channel]
      const takeOfParty = channels.partyTurns?.[channel]
      const { party, priority = 0 } = job.data
      const turn =
        takeOfParty !== undefined && party !== undefined
          ? yield* unlessPutOff(job, yield* takeOfParty(party, priority), config)
          : take === undefined
            ? goNow
            : yield* takeTurn(job, take, config)
      if (turn._tag === "Over") return turn.finished
      const first = yield* (yield* BeginAttempt).first(job.data.target_id)
      const begun =
        first === undefined
          ? yield* transaction(beginAttempt(job, config))
          : { _tag: "Begun" as const, row: first, record: first.record }
      if (begun._tag === "Over") return begun.finished
      if (begun._tag === "Begun")
        return yield* carryOut(job, begun.row, begun.record, turn.deliver ?? channels.deliver, config)
      const known = yield* channels.recoveries[channel]!(requestOf(begun.row, begun.record, config, () => Effect.void))
      return Option.isSome(known)
        ? yield* record(job, begun.row, begun.record, withStorableText(known.value), config)
        : yield* transaction(giveUp(job, config))
    })
  )
})

const goNow = { _tag: "Go" as const, deliver: undefined }

const over = (finished: Finished | undefined) => ({ _tag: "Over" as const, finished })

/** Waits for the channel's rate limit. Records no attempt yet, so a crash here leaves none with unknown outcome. */
const takeTurn = Effect.fnUntraced(function* (job: DeliveryJob, take: TakeTurn, config: AlarmConfig) {
  const { recoveries } = yield* Channels
  const row = yield* load(job.data.target_id, "unlocked")
  if (row === undefined || RetryPlan.isFinal(row.record)) return goNow
  // An interrupted attempt may still be running. Its channel can report the outcome, so it needs no new turn.
  if (row.record.state === "attempting" && recoveries[row.channel] !== undefined) return goNow
  return yield* unlessPutOff(job, yield* take(requestOf(row, row.record, config, () => Effect.void)), config)
})

/** Completes the job of a target that is put off, and sends a job for its next turn. */
const unlessPutOff = Effect.fnUntraced(function* (job: DeliveryJob, turn: Turn, config: AlarmConfig) {
  if (turn._tag === "Go") return turn
  const settled = yield* transaction(
    Effect.gen(function* () {
      yield* job.complete
      const current = yield* load(job.data.target_id, "for update")
      if (current === undefined || RetryPlan.isFinal(current.record)) return undefined
      const open = current.record.state === "attempting" ? yield* endInterrupted(current, config) : current.record
      const reason = storable(turn.reason, maxReasonLength)
      return {
        row: current,
        ...(yield* storeRecord(
          current,
          RetryPlan.putOff(open, turn.until, reason, turn.away, Date.now(), planOf(current, config))
        ))
      }
    })
  )
  if (settled !== undefined && turn.away) yield* noteEnd(settled.row, settled.next)
  return over(settled?.finished)
})

const carryOut = Effect.fnUntraced(function* (
  job: DeliveryJob,
  row: TargetRow,
  claimed: RetryPlan.Target,
  deliver: Deliver,
  config: AlarmConfig
) {
  const services = yield* Effect.context<SqlClient.SqlClient | PgClient.PgClient>()
  let current = claimed
  const outcome = yield* deliver(
    requestOf(row, claimed, config, (partsSent) => {
      current = RetryPlan.withPartsSent(current, partsSent)
      // Saves finished parts from being repeated after a crash. A failure is ignored, because the outcome contains the
      // same.
      return Effect.ignore(Effect.provideContext(notePart(row, current), services))
    })
  )
  yield* noteFact(row.channel, outcome)
  return yield* record(job, row, current, withStorableText(outcome), config)
})

/** Retries while the database is away. The message has left, so a lost outcome would send it again. */
const record = Effect.fnUntraced(function* (
  job: DeliveryJob,
  row: TargetRow,
  current: RetryPlan.Target,
  outcome: Outcome,
  config: AlarmConfig
) {
  const outcomes = yield* RecordOutcome
  let told = false
  // Noted before the outcome is stored, because the database may be away; noted again with the stored record.
  yield* noteEnd(row, RetryPlan.decide(current, outcome, Date.now(), planOf(row, config)))
  const { finished, next } = yield* outcomes.record({ job, row, record: current, outcome }).pipe(
    Effect.tapError((error: SqlError.SqlError | ClaimLost) => {
      if (error._tag !== "SqlError" || told) return Effect.void
      told = true
      return Effect.logWarning(`an outcome could not be recorded yet: ${error.message}`, { run: row.run_id })
    }),
    Effect.retry({ while: (error) => error._tag === "SqlError", schedule: Backoff.schedule(Backoff.eager) })
  )
  countAttempt(row, outcome)
  yield* noteEnd(row, next)
  return finished
})

/** Informs the undeliverable watch. Direct requests are excluded: their callers read the run themselves. */
const noteEnd = Effect.fnUntraced(function* (row: TargetRow, next: RetryPlan.Target) {
  if (row.event_type !== alarmReceived) return
  const undelivered = yield* Undelivered
  const { channel, run_id: runId, severity } = row
  const reason = next.reason ?? ""
  yield* RetryPlan.isFinal(next)
    ? undelivered.noteEnded(
        row.id,
        RetryPlan.isMissed(next) && !row.has_fallback
          ? { runId, channel, severity, reason, uncertain: next.state === "uncertain" }
          : undefined
      )
    : undelivered.noteFailed({ targetId: row.id, runId, channel, severity, since: row.received_at.getTime(), reason })
})

const parts: Partial<Record<Channel, Part>> = {
  messenger: "messenger",
  messenger_voice: "messenger",
  webhook: "webhook"
}

const noteFact = Effect.fnUntraced(function* (channel: Channel, outcome: Outcome) {
  const part = parts[channel]
  const sighting = part === undefined ? undefined : sightingOf(outcome, Date.now())
  if (part !== undefined && sighting !== undefined) yield* (yield* PeerHealth).note(part, sighting)
})

/** Text of the other side may contain characters that Postgres cannot store. */
const withStorableText = (outcome: Outcome): Outcome =>
  outcome._tag === "Delivered"
    ? { ...outcome, detail: storable(outcome.detail, maxReasonLength) }
    : { ...outcome, reason: storable(outcome.reason, maxReasonLength) }

/** Ends an inherited attempt whose outcome is unknown. */
const giveUp = Effect.fnUntraced(function* (job: DeliveryJob, config: AlarmConfig) {
  yield* job.complete
  const row = yield* load(job.data.target_id, "for update")
  if (row === undefined || row.record.state !== "attempting") return undefined
  return (yield* storeRecord(row, yield* endInterrupted(row, config))).finished
})

/** Runs outside the claim's transactions; the condition restricts the update to this attempt. */
const notePart = Effect.fnUntraced(function* (row: TargetRow, record: RetryPlan.Target) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  yield* sql`update comm_dispatcher.target set record = ${pg.json(record)}, updated_at = now()
    where id = ${row.id} and state = 'attempting' and (record->>'begun')::int = ${record.begun}`
})
