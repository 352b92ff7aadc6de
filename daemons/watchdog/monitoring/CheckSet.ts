/**
 * Starts and stops the checks of one scope: of this machine, or of the whole installation. Holds the lease of the
 * scope, finds the checks on the machine, and follows the changes of operators. Each check is an actor.
 */
import { Duration, Effect, Exit, Latch, Scope, type Semaphore } from "effect"
import type { PgClient } from "@effect/sql-pg"
import type { SqlClient } from "effect/sql"
import { Wake } from "#core/events/Wake.ts"
import * as Sql from "#core/sql/Sql.ts"
import { answerWithin } from "#core/supervision/AnswerWithin.ts"
import { Actor, type ActorSpec, Supervisor } from "#core/supervision/Supervisor.ts"
import type { Alerts } from "../alerting/Exports.ts"
import type { BuiltCheck, Source } from "./BuiltCheck.ts"
import { checkActor, type RunningCheck } from "./CheckActor.ts"
import * as CheckMetrics from "./CheckMetrics.ts"
import { type CheckRow, effective, stateOf } from "./CheckRow.ts"
import { pending } from "./CheckState.ts"
import * as CheckStore from "./CheckStore.ts"
import { checksTopic } from "./CheckTopic.ts"
import * as Lease from "./Lease.ts"
import { ResultWriter } from "./ResultWriter.ts"
import type { MonitoringConfig } from "./Settings.ts"

/** Maximum number of probes at the same time in one process. Reason: bounds processes and descriptors. */
export const maxProbes = 32

/** Interval in which new containers, disks and units are found. Unit: seconds. */
const discovery = 60

/** Longest time of one source's discovery, and of one access to Postgres. Unit: milliseconds. */
const patience = 10_000

export interface CheckSetOptions {
  /** Host, or null for the checks of the installation. */
  readonly host: string | null
  readonly sources: ReadonlyArray<Source>
  /** Builds an operator's check. */
  readonly ofOperator: (row: CheckRow) => BuiltCheck | undefined
  readonly config: MonitoringConfig
  readonly places: Semaphore.Semaphore
}

type Services = SqlClient.SqlClient | PgClient.PgClient | Supervisor | Wake | Alerts | ResultWriter

interface Child {
  readonly spec: string
  /** Id of its row, when Postgres knew it. */
  readonly id: number | undefined
  readonly scope: Scope.Closeable
  readonly running: RunningCheck
}

export const checkSet = ({ config, host, ofOperator, places, sources }: CheckSetOptions): ActorSpec<Services> => ({
  name: host === null ? "checks of the installation" : "checks of this machine",
  run: Effect.gen(function* () {
    const actor = yield* Actor
    const supervisor = yield* Supervisor
    const writer = yield* ResultWriter
    const leaseScope = host === null ? Lease.fleetScope : Lease.hostScope(host)
    const holder = crypto.randomUUID()
    const wakeup = yield* (yield* Wake).subscribe(checksTopic)
    const own = yield* Effect.scope
    const children = new Map<string, Child>()
    const states = new Map<string, RunningCheck>()
    const found = new Map<string, ReadonlyArray<BuiltCheck>>()
    let rows: ReadonlyMap<string, CheckRow> = new Map()
    let isOurs = false
    let foundAt = -Infinity
    /** Text of the last stored state that was read. */
    let stamp: string | undefined
    /** Requests to run a check that were handled, by key. */
    const handled = new Map<string, number>()

    /** Undefined while Postgres is away. */
    const inDatabase = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      answerWithin(
        Effect.match(effect, { onFailure: () => undefined, onSuccess: (value): A | undefined => value }),
        Duration.millis(patience),
        () => Effect.succeed(undefined)
      )
    // Also without `isOurs`: the actor may be stopped between the commit of its claim and the answer.
    yield* Effect.addFinalizer(() => inDatabase(Sql.transaction(Lease.release(leaseScope, holder))))

    const stop = Effect.fnUntraced(function* (key: string, child: Child) {
      children.delete(key)
      yield* Scope.close(child.scope, Exit.void)
    })

    const knownOf = ({ kinds }: Source): ReadonlyArray<string> =>
      Array.from(rows.values()).flatMap(({ key, kind, origin }) =>
        origin === "built_in" && kinds.includes(kind) ? [key] : []
      )

    const discover = Effect.forEach(
      sources,
      (source) =>
        Effect.map(
          answerWithin(source.discover(knownOf(source)), Duration.millis(patience), () => Effect.succeed(undefined)),
          (checks) => {
            if (checks !== undefined) found.set(source.name, checks)
            return checks === undefined ? source.kinds : []
          }
        ),
      { concurrency: 4 }
    )

    const keepRows = <E, R>(read: Effect.Effect<ReadonlyArray<CheckRow>, E, R>) =>
      Effect.map(inDatabase(Sql.transaction(read)), (found) => {
        if (found !== undefined) rows = new Map(found.map((row) => [row.key, row]))
      })

    /** Starts and stops actors, so that exactly these checks run. */
    const reconcile = Effect.gen(function* () {
      const built = new Map(Array.from(found.values()).flatMap((checks) => checks.map((check) => [check.key, check])))
      for (const row of rows.values()) {
        const check = row.origin === "operator" ? ofOperator(row) : undefined
        if (check !== undefined) built.set(row.key, check)
      }
      for (const [key, row] of rows) if (!row.enabled) built.delete(key)
      for (const [key, child] of children) {
        const check = built.get(key)
        if (check !== undefined && specOf(check, rows.get(key)) === child.spec) continue
        yield* stop(key, child)
        const id = rows.get(key)?.id
        const isSame = id === undefined || child.id === undefined || id === child.id
        // A changed definition, or another check with the name of a removed one, begins anew.
        if (check?.version === child.running.check.version && isSame) continue
        states.delete(key)
        yield* writer.forget(key)
      }
      for (const [key, check] of built) {
        if (children.has(key)) continue
        const row = rows.get(key)
        const before = states.get(key)
        const running: RunningCheck = {
          check,
          applied: appliedTo(check, row),
          state: before?.state ?? (row === undefined ? pending : stateOf(row)),
          checkedAt: before?.checkedAt ?? (row?.checked_at === null ? undefined : row?.checked_at.getTime()),
          value: before?.value ?? row?.value ?? null,
          wake: Latch.makeUnsafe(false)
        }
        states.set(key, running)
        if (row !== undefined) {
          const severity = row.status === "critical" ? "critical" : "warning"
          yield* writer.begin({ key, group: check.group, alerting: row.alerting, severity })
        }
        const scope = yield* Scope.fork(own)
        const unregister = CheckMetrics.register(running)
        yield* Scope.addFinalizer(scope, Effect.sync(unregister))
        children.set(key, { spec: specOf(check, row), id: row?.id, scope, running })
        yield* Scope.provide(supervisor.start(checkActor(running, writer, places, config.second)), scope)
      }
    })

    const appliedTo = (check: BuiltCheck, row: CheckRow | undefined) => effective(row ?? rowless(check), config)
    const specOf = (check: BuiltCheck, row: CheckRow | undefined) =>
      JSON.stringify([check.version, check.group, row?.id, appliedTo(check, row)])

    while (true) {
      yield* actor.progress
      const claimed = yield* inDatabase(Sql.transaction(Lease.claim(leaseScope, holder)))
      if (claimed === false) {
        for (const [key, child] of children) yield* stop(key, child)
        for (const key of states.keys()) yield* writer.forget(key)
        states.clear()
        foundAt = -Infinity
        stamp = undefined
      }
      isOurs = claimed ?? isOurs
      yield* actor.note(isOurs ? `${children.size} checks` : "another process runs these checks")
      if (isOurs) {
        if (stamp === undefined) yield* keepRows(CheckStore.stored(host))
        const isDue = performance.now() - foundAt >= config.second * Math.min(discovery, config.interval)
        if (isDue) {
          const incomplete = (yield* discover).flat()
          foundAt = performance.now()
          yield* keepRows(CheckStore.sync(host, Array.from(found.values()).flat(), incomplete))
        }
        const current = yield* inDatabase(Sql.transaction(CheckStore.stamp(host)))
        if (current !== undefined && current !== stamp) {
          yield* keepRows(CheckStore.stored(host))
          stamp = current
        }
        yield* reconcile
        for (const { key, run_requested_at } of rows.values()) {
          const child = children.get(key)
          // Not compared with the time of the last check, because the database has another clock.
          if (run_requested_at === null || child === undefined || handled.get(key) === +run_requested_at) continue
          handled.set(key, +run_requested_at)
          Latch.openUnsafe(child.running.wake)
        }
      }
      yield* wakeup.wait(Duration.millis(config.second * Math.min(Lease.renewal, config.interval)))
    }
  })
})

/** What applies to a check that Postgres does not know yet. */
const rowless = ({ failures, successes, thresholds }: BuiltCheck) => ({
  interval_s: null,
  timeout_s: null,
  warning: null,
  critical: null,
  failures: null,
  successes: null,
  found_failures: failures ?? null,
  found_successes: successes ?? null,
  found_warning: thresholds.warning,
  found_critical: thresholds.critical,
  direction: thresholds.direction
})
