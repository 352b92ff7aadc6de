/**
 * Reports undelivered alarms by the second path: open for 10 minutes, failed for good, or blocked by a database that
 * has been away for 3 minutes. Runs in every process. The oldest process reports; while the database is away each
 * process reports what it knows.
 */
import type { PgClient } from "@effect/sql-pg"
import { Duration, Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { alarmReceived } from "#core/contracts/Alarm.ts"
import { Incarnation } from "#core/cluster/Incarnation.ts"
import { SecondPath, tickOf, type Trouble } from "#core/second-path/SecondPath.ts"
import { Actor, type ActorSpec } from "#core/supervision/Supervisor.ts"
import { failedLookback, type LedgerView, Undelivered } from "./Undelivered.ts"

/** How long the database may be away. Unit: minutes. Reason: longer than a restart with recovery. */
export const databaseLimit = 3

/** Time limit of the ledger query. Unit: seconds. Reason: a ledger that hangs counts as away. */
const patience = Duration.seconds(5)

/**
 * Maximum number of open targets read per round, the oldest first, and failed runs. Reason: bounds the cost of a storm.
 */
const mostOpen = 4_000
const mostFailed = 500

/** The watch's name in reports. */
const watchName = "alarms"

export const undeliverableWatch = (
  minute: number
): ActorSpec<SecondPath | Undelivered | Incarnation | SqlClient.SqlClient | PgClient.PgClient> => {
  const database = { answeredAt: Date.now(), askedAt: Date.now(), failed: false, eldest: true, answered: false }
  return {
    name: "undeliverable watch",
    run: Effect.gen(function* () {
      const actor = yield* Actor
      const incarnation = yield* Incarnation
      const secondPath = yield* SecondPath
      const undelivered = yield* Undelivered

      const ask = Effect.gen(function* () {
        const askedAt = Date.now()
        database.askedAt = askedAt
        const [view, eldest] = yield* Effect.all([ledgerView, incarnation.isEldest("comm-dispatcher")])
        yield* undelivered.refresh(view, askedAt)
        Object.assign(database, { answeredAt: Date.now(), failed: false, eldest, answered: true })
      }).pipe(
        Effect.timeout(patience),
        Effect.catch(() => Effect.sync(() => void (database.failed = true)))
      )

      const judge = Effect.gen(function* () {
        yield* actor.progress
        const { answered, answeredAt, askedAt, eldest, failed } = database
        // The query may hang longer than its time limit. The known state is judged anyway.
        const away = failed || (askedAt > answeredAt && Date.now() - askedAt > Duration.toMillis(patience))
        yield* secondPath.report({
          watch: watchName,
          troubles: [
            ...(away ? [databaseAway(answeredAt, minute)] : []),
            ...(yield* undelivered.troubles(watchName, minute))
          ],
          onlyKnown: !away && !eldest,
          // Before the first answer this process knows no alarm of an earlier one, so none of them is over.
          partial: !answered
        })
        yield* actor.note(
          away ? "the ledger does not answer" : eldest ? "watching" : "watching; another process sends the notices"
        )
      })

      const rounds = (step: Effect.Effect<void, never, SqlClient.SqlClient | PgClient.PgClient>) =>
        Effect.forever(Effect.andThen(step, Effect.sleep(tickOf(minute))))
      return yield* Effect.raceFirst(rounds(ask), rounds(judge))
    })
  }
}

const databaseAway = (since: number, minute: number): Trouble => ({
  key: "database",
  watch: watchName,
  since,
  after: databaseLimit * minute,
  what: "the database does not answer: alarms are neither taken in nor delivered",
  advice: "signalbox health, then the database's own log; alarms wait in mailboxes and mail queues until it is back"
})

/** Open targets and failed runs of alarms. Ages come from the database clock, which may differ from ours. */
export const ledgerView: Effect.Effect<LedgerView, SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const open = yield* sql<{
    id: number
    run_id: string
    channel: string
    severity: string | null
    reason: string | null
    age: number
  }>`
    select t.id::float8 as id, r.id::text as run_id, t.channel, r.severity, t.record->>'reason' as reason,
           extract(epoch from now() - r.created_at)::float8 as age
      from comm_dispatcher.run r join comm_dispatcher.target t on t.run_id = r.id
     where r.finished_at is null and r.event_type = ${alarmReceived}
       and (t.state in ('pending', 'attempting') or (t.state = 'uncertain' and t.due_at is not null))
     order by r.created_at limit ${mostOpen}`
  // A target is lost when all of its fallbacks failed, too.
  const failed = yield* sql<{
    run_id: string
    severity: string | null
    channels: ReadonlyArray<string>
    reason: string | null
    uncertain: boolean
    age: number
  }>`
    with lost as (
      select r.id, r.severity, array_agg(t.channel order by t.step) as channels, max(t.updated_at) as at,
             bool_or(t.state = 'uncertain') as uncertain,
             (array_agg(t.record->>'reason' order by t.step desc))[1] as reason
        from comm_dispatcher.run r join comm_dispatcher.target t on t.run_id = r.id
       where r.event_type = ${alarmReceived} and (r.finished_at is null
             or (r.finished_at > now() - make_interval(mins => ${failedLookback})
               and r.state in ('failed', 'uncertain', 'partly_delivered', 'rejected')))
       group by r.id, t.chain having bool_and(t.state = 'failed' or (t.state = 'uncertain' and t.due_at is null)))
    select id::text as run_id, severity, array_agg(distinct channel) as channels, max(reason) as reason,
           bool_or(uncertain) as uncertain,
           extract(epoch from now() - min(at))::float8 as age
      from lost, unnest(channels) as channel group by id, severity order by min(at) desc limit ${mostFailed}`
  const now = Date.now()
  return {
    open: open.map(({ age, channel, id, reason, run_id, severity }) => ({
      targetId: id,
      runId: run_id,
      channel,
      severity,
      reason,
      since: now - age * 1000
    })),
    failed: failed.map(({ age, channels, reason, run_id, severity, uncertain }) => ({
      runId: run_id,
      channels,
      severity,
      reason,
      uncertain,
      at: now - age * 1000
    }))
  }
})
