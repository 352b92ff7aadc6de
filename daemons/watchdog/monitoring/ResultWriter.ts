/**
 * Results of checks on their way to Postgres and to the alerts. Results are written in batches, so that a thousand
 * checks do not cost a thousand transactions. A result and the report of its alert are one transaction. While Postgres
 * is away, results wait in memory, bounded for each check, and alerts leave without it.
 */
import { Context, Duration, Effect, Latch, Layer, Random } from "effect"
import type { PgClient } from "@effect/sql-pg"
import type { SqlClient } from "effect/sql"
import { type ConfigInvalid, settings } from "#core/config/Environment.ts"
import type { Component } from "#core/daemon/Health.ts"
import * as Backoff from "#core/supervision/Backoff.ts"
import { Actor, type ActorSpec } from "#core/supervision/Supervisor.ts"
import { answerWithin } from "#core/supervision/AnswerWithin.ts"
import * as Sql from "#core/sql/Sql.ts"
import { type AlertReport, Alerts } from "../alerting/Exports.ts"
import type { CheckState, Finding } from "./CheckState.ts"
import * as CheckStore from "./CheckStore.ts"
import { monitoringSettings } from "./Settings.ts"

/** Results of a check that wait for Postgres. Unit: results. Reason: half a day at the usual interval. */
const maxWaiting = 144

/** Pause before a batch without news is written. Unit: seconds. Reason: of 1,000 checks 17 end in 5 s. */
const gathering = 5

/** Longest time of one batch. Unit: milliseconds. Reason: a server that hangs must not delay alerts. */
const longestWrite = 10_000

/** Longest wait for work; then progress is reported. Unit: milliseconds. */
const tick = 20_000

/** What a check tells of itself. */
export interface Reported {
  readonly key: string
  readonly group: string
  readonly alerting: boolean
  readonly severity: "warning" | "critical"
}

interface Waiting {
  readonly group: string
  outcome: CheckStore.Outcome
  samples: Array<{ readonly at: number; readonly finding: Finding }>
}

/** Whether people should hear of the change from `before`. Pure. */
export const isNews = (before: Reported | undefined, now: Reported): boolean =>
  now.alerting ? before?.alerting !== true || before.severity !== now.severity : before?.alerting === true

/** An unknown status leaves the severity of an open alert as it is. */
const severityOf = ({ status }: CheckState, before: Reported | undefined): "warning" | "critical" =>
  status === "unknown" && before !== undefined ? before.severity : status === "critical" ? "critical" : "warning"

const reportedOf = ({ group, outcome }: Waiting, before: Reported | undefined): Reported => ({
  key: outcome.key,
  group,
  alerting: outcome.state.alerting,
  severity: severityOf(outcome.state, before)
})

const alertOf = ({ group, outcome: { at, finding, key, state } }: Waiting): AlertReport => ({
  key,
  group,
  severity: severityOf(state, undefined),
  summary: `${key}: ${finding.detail}`,
  summaryDe: `${key}: ${finding.detailDe}`,
  failing: state.alerting,
  at: new Date(at)
})

export class ResultWriter extends Context.Service<
  ResultWriter,
  {
    readonly take: (group: string, outcome: CheckStore.Outcome) => Effect.Effect<void>
    /** Stored state of a check, so that only changes are reported. */
    readonly begin: (reported: Reported) => Effect.Effect<void>
    /** The check no longer exists. */
    readonly forget: (key: string) => Effect.Effect<void>
    readonly actor: ActorSpec<SqlClient.SqlClient | PgClient.PgClient>
    readonly health: Effect.Effect<Component>
  }
>()("signalbox/watchdog/ResultWriter") {}

export const resultWriter: Layer.Layer<ResultWriter, ConfigInvalid, Alerts> = Layer.effect(
  ResultWriter,
  Effect.gen(function* () {
    const alerts = yield* Alerts
    const { second } = yield* settings(monitoringSettings)
    let waiting = new Map<string, Waiting>()
    /** What the alerts know of each check by Postgres, and without it. */
    const told = new Map<string, Reported>()
    const toldWithout = new Map<string, Reported>()
    const work = Latch.makeUnsafe(false)
    const urgent = Latch.makeUnsafe(false)
    let trouble: string | undefined

    const take = (group: string, outcome: CheckStore.Outcome) =>
      Effect.sync(() => {
        const entry = waiting.get(outcome.key) ?? { group, outcome, samples: [] }
        entry.outcome = outcome
        entry.samples.push({ at: outcome.at, finding: outcome.finding })
        if (entry.samples.length > maxWaiting) entry.samples.shift()
        waiting.set(outcome.key, entry)
        Latch.openUnsafe(work)
        const before = told.get(outcome.key)
        if (isNews(before, reportedOf(entry, before))) Latch.openUnsafe(urgent)
      })

    const write = (batch: ReadonlyArray<Waiting>) =>
      Sql.transaction(
        Effect.gen(function* () {
          const stored = yield* CheckStore.record(
            batch.map(({ outcome }) => outcome),
            batch.flatMap(({ outcome: { key }, samples }) => samples.map((sample) => ({ key, ...sample })))
          )
          for (const entry of batch) {
            const before = told.get(entry.outcome.key)
            if (!stored.has(entry.outcome.key) || !isNews(before, reportedOf(entry, before))) continue
            yield* alerts.report(alertOf(entry))
          }
        })
      )

    /** Reports what changed since the last report, by whatever way. */
    const withoutDatabase = Effect.suspend(() =>
      Effect.forEach(
        Array.from(waiting.values()).filter((entry) => {
          const before = toldWithout.get(entry.outcome.key) ?? told.get(entry.outcome.key)
          return isNews(before, reportedOf(entry, before))
        }),
        (entry) =>
          Effect.andThen(
            alerts.reportWithoutDatabase(alertOf(entry)),
            Effect.sync(() => toldWithout.set(entry.outcome.key, reportedOf(entry, undefined)))
          ),
        { discard: true }
      )
    )

    const keep = (batch: ReadonlyArray<Waiting>) => {
      for (const { group, outcome, samples } of batch) {
        const newer = waiting.get(outcome.key)
        const all = [...samples, ...(newer?.samples ?? [])].slice(-maxWaiting)
        waiting.set(outcome.key, { group: newer?.group ?? group, outcome: newer?.outcome ?? outcome, samples: all })
      }
    }

    const run = Effect.gen(function* () {
      const actor = yield* Actor
      let failures = 0
      while (true) {
        yield* actor.progress
        yield* Effect.timeoutOption(work.await, tick)
        if (waiting.size === 0) continue
        yield* Effect.timeoutOption(urgent.await, gathering * second)
        Latch.closeUnsafe(work)
        Latch.closeUnsafe(urgent)
        const batch = Array.from(waiting.values())
        waiting = new Map()
        const problem = yield* answerWithin(
          Effect.match(write(batch), {
            onFailure: (error): string | undefined => Sql.innermost(error),
            onSuccess: () => undefined
          }),
          Duration.millis(longestWrite),
          () => Effect.succeed("no answer in time")
        )
        if (problem === undefined) {
          for (const entry of batch) {
            const { key } = entry.outcome
            told.set(key, reportedOf(entry, told.get(key)))
            toldWithout.delete(key)
          }
          if (trouble !== undefined) yield* Effect.logInfo("results of checks are stored again")
          trouble = undefined
          failures = 0
          continue
        }
        if (trouble === undefined) yield* Effect.logWarning(`results of checks stay in memory: ${problem}`)
        trouble = problem
        keep(batch)
        Latch.openUnsafe(work)
        yield* withoutDatabase
        yield* Effect.sleep(Backoff.delay(Backoff.eager, ++failures, yield* Random.next))
      }
    })

    return ResultWriter.of({
      take,
      begin: (reported) => Effect.sync(() => void (told.has(reported.key) || told.set(reported.key, reported))),
      forget: (key) =>
        Effect.sync(() => {
          waiting.delete(key)
          told.delete(key)
          toldWithout.delete(key)
        }),
      actor: { name: "results of checks", run, stallAfter: Duration.minutes(2) },
      health: Effect.sync(() =>
        trouble === undefined
          ? { status: "ok" }
          : { status: "degraded", detail: `results stay in memory: ${trouble}`, waiting: waiting.size }
      )
    })
  })
)
