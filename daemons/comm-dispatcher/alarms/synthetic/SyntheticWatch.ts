/**
 * Whether the daily test alarm has arrived: a run with its Message-ID that ended `delivered`, within 10 minutes of being
 * enqueued. Every process looks; of several the eldest tells, and while the database is away each tells what it knows.
 */
import type { PgClient } from "@effect/sql-pg"
import { Context, Duration, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { Component } from "#core/daemon/Health.ts"
import { Incarnation } from "#core/cluster/Incarnation.ts"
import { keyedId } from "#core/jobs/Jobs.ts"
import { SecondPath, tickOf, type Trouble } from "#core/second-path/SecondPath.ts"
import { Actor, type ActorSpec } from "#core/supervision/Supervisor.ts"
import {
  arrivalLimit,
  lastFiring,
  make,
  messageIdOf,
  type SyntheticAlarm,
  type SyntheticConfig
} from "./SyntheticAlarm.ts"
import { SyntheticDue } from "./SyntheticSchedule.ts"

/** How long the ledger may take to answer. Unit: seconds. */
const patience = Duration.seconds(5)

/** The watch's name in reports. */
const watchName = "test alarm"

/** What is known of one firing. Times are epoch milliseconds. */
export interface Sight {
  readonly firing: number
  /** When its job was enqueued; undefined: not yet, or not known. */
  readonly enqueuedAt: number | undefined
  readonly arrived: boolean
  readonly run: { readonly id: string; readonly state: string; readonly reason: string | null } | undefined
}

/** Since when it has been owed. `watchedSince`: nobody may have been there before. */
const dueAt = (sight: Sight, watchedSince: number): number => sight.enqueuedAt ?? Math.max(sight.firing, watchedSince)

/** What is wrong with it; undefined also while it has time. `owedSince`: an earlier one that never arrived. Pure. */
export const troubleOf = (
  sight: Sight,
  owedSince: number | undefined,
  watchedSince: number,
  minute: number
): Trouble | undefined =>
  sight.arrived
    ? undefined
    : {
        key: "test alarm",
        watch: watchName,
        since: owedSince ?? dueAt(sight, watchedSince),
        after: arrivalLimit * minute,
        what:
          sight.run === undefined
            ? "the daily test alarm has not come in: no mail with its Message-ID is in the ledger"
            : `the daily test alarm came in as run ${sight.run.id} and is ${sight.run.state}${sight.run.reason === null ? "" : `: ${sight.run.reason}`}`,
        advice:
          sight.run === undefined
            ? "look for the mail where it was sent: our SMTP listener or the mail server's log; then signalbox health"
            : `signalbox alarm show ${sight.run.id}`
      }

/** Its state in this process, for the watch and for `/health`. */
export class SyntheticSight extends Context.Service<
  SyntheticSight,
  { readonly alarm: SyntheticAlarm | undefined; sight: Sight | undefined; owedSince: number | undefined }
>()("signalbox/comm-dispatcher/SyntheticSight") {}

export const layer = (config: SyntheticConfig): Layer.Layer<SyntheticSight> =>
  Layer.sync(SyntheticSight, () => SyntheticSight.of({ alarm: make(config), sight: undefined, owedSince: undefined }))

export const component: Effect.Effect<Component, never, SyntheticSight> = Effect.map(
  SyntheticSight,
  ({ alarm, owedSince, sight }) => {
    if (alarm === undefined) return { status: "unconfigured" }
    const times = sight === undefined ? {} : { last_due: new Date(sight.firing).toISOString(), arrived: sight.arrived }
    return owedSince === undefined
      ? { status: "ok", ...times }
      : { status: "degraded", detail: `nothing has arrived since ${new Date(owedSince).toISOString()}`, ...times }
  }
)

export const syntheticWatch = (
  alarm: SyntheticAlarm,
  minute: number
): ActorSpec<SecondPath | SyntheticSight | Incarnation | SqlClient.SqlClient | PgClient.PgClient> => {
  const watchedSince = Date.now()
  return {
    name: "test alarm watch",
    run: Effect.gen(function* () {
      const actor = yield* Actor
      const incarnation = yield* Incarnation
      const secondPath = yield* SecondPath
      const known = yield* SyntheticSight
      while (true) {
        yield* actor.progress
        const firing = lastFiring(alarm.at, Date.now())
        const answer = yield* Effect.all([look(alarm, firing), incarnation.isEldest("comm-dispatcher")]).pipe(
          Effect.timeout(patience),
          Effect.catch(() => Effect.succeed(undefined))
        )
        // What has arrived has, also when the ledger cannot be asked again.
        const before =
          known.sight?.firing === firing
            ? known.sight
            : { firing, enqueuedAt: undefined, arrived: false, run: undefined }
        const sight = answer === undefined || before.arrived ? before : answer[0]
        known.sight = sight
        const now = Date.now()
        if (sight.arrived) known.owedSince = undefined
        else if (now - dueAt(sight, watchedSince) >= arrivalLimit * minute)
          known.owedSince ??= dueAt(sight, watchedSince)
        const trouble = troubleOf(sight, known.owedSince, watchedSince, minute)
        yield* secondPath.report({
          watch: watchName,
          troubles: trouble === undefined ? [] : [trouble],
          onlyKnown: answer?.[1] === false
        })
        yield* actor.note(sight.arrived ? "arrived" : known.owedSince === undefined ? "on its way" : "missing")
        yield* Effect.sleep(tickOf(minute))
      }
    })
  }
}

/** What the ledger and the queue know of a firing. */
const look = (alarm: SyntheticAlarm, firing: number): Effect.Effect<Sight, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const id = messageIdOf(alarm, firing)
    const [job] = yield* sql<{
      age: number
    }>`select extract(epoch from now() - created_on)::float8 as age from pgboss.job
      where name = ${SyntheticDue.queue} and id = ${keyedId(SyntheticDue.queue, id)}::uuid`
    // A mail that was handed over twice has a second run, a duplicate: one that was delivered is proof.
    const [run] = yield* sql<{ id: string; state: string; reason: string | null }>`select id::text as id, state, reason
      from comm_dispatcher.run where source ? 'message_id' and source->>'message_id' = ${id}
      order by (state = 'delivered') desc, seq limit 1`
    return {
      firing,
      enqueuedAt: job === undefined ? undefined : Date.now() - job.age * 1000,
      arrived: run?.state === "delivered",
      run
    }
  })
