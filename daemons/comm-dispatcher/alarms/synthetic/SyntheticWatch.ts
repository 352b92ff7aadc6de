/**
 * Checks that the daily test alarm arrived: a run with its Message-ID ended `delivered` within 10 minutes of being
 * enqueued. Every process checks; the oldest process reports. While the database is away each process reports what it
 * knows.
 */
import type { PgClient } from "@effect/sql-pg"
import { Context, Duration, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { Component } from "#core/daemon/Health.ts"
import { Incarnation } from "#core/cluster/Incarnation.ts"
import { keyedId } from "#core/jobs/Jobs.ts"
import { ageOf } from "#core/jobs/JobTables.ts"
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

/** Time limit of the ledger query. Unit: seconds. */
const patience = Duration.seconds(5)

/** The watch's name in reports. */
const watchName = "test alarm"

/** State of one firing. Times are epoch milliseconds. */
export interface Sight {
  readonly firing: number
  /** When its job was enqueued; undefined: not yet, or unknown. */
  readonly enqueuedAt: number | undefined
  readonly arrived: boolean
  readonly run: { readonly id: string; readonly state: string; readonly reason: string | null } | undefined
}

/** Start of the time limit. `watchedSince`: start of this process, before which no process may have been running. */
const dueAt = (sight: Sight, watchedSince: number): number => sight.enqueuedAt ?? Math.max(sight.firing, watchedSince)

/**
 * Problem to report; undefined within the time limit. `owedSince`: time since which an earlier test alarm is missing.
 * Pure.
 */
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
            : `the daily test alarm came in as run ${sight.run.id} and is ` +
              `${sight.run.state}${sight.run.reason === null ? "" : `: ${sight.run.reason}`}`,
        advice:
          sight.run === undefined
            ? "look for the mail where it was sent: our SMTP listener or the mail server's log; then signalbox health"
            : `signalbox alarm show ${sight.run.id}`
      }

/** State of the watch in this process, also for `/health`. */
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
        // An arrival is kept when the ledger cannot be queried again.
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

/** The firing's state in the ledger and the queue. */
const look = (alarm: SyntheticAlarm, firing: number): Effect.Effect<Sight, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const id = messageIdOf(alarm, firing)
    const age = yield* ageOf(SyntheticDue.queue, keyedId(SyntheticDue.queue, id))
    // A mail that was handed over twice has a second run, a duplicate. One delivered run is proof.
    const [run] = yield* sql<{ id: string; state: string; reason: string | null }>`select id::text as id, state, reason
      from comm_dispatcher.run where source ? 'message_id' and source->>'message_id' = ${id}
      order by (state = 'delivered') desc, seq limit 1`
    return {
      firing,
      enqueuedAt: age === undefined ? undefined : Date.now() - age * 1000,
      arrived: run?.state === "delivered",
      run
    }
  })
