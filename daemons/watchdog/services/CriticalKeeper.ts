/**
 * Watches the critical services of this host and restarts those that fail, dependencies first. One process of a host
 * acts. While Postgres is away, that process goes on from memory, because Postgres may be what has to be restarted.
 */
import { Clock, Context, Duration, Effect, Layer, Latch } from "effect"
import type { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import type { PgClient } from "@effect/sql-pg"
import { providerTenant } from "#core/auth/Caller.ts"
import type { ConfigInvalid } from "#core/config/Environment.ts"
import { settings } from "#core/config/Environment.ts"
import * as Audit from "#core/log/Audit.ts"
import type { Database } from "#core/sql/Database.ts"
import { transaction } from "#core/sql/Sql.ts"
import { Actor, type ActorSpec } from "#core/supervision/Supervisor.ts"
import { long, shippedTexts } from "#core/words/ShippedTexts.ts"
import { Alerts } from "../alerting/Exports.ts"
import type { Critical } from "./CriticalServices.ts"
import * as CriticalStore from "./CriticalStore.ts"
import { type Action, decide, initial, type Observation, type State } from "./RestartDecision.ts"
import { restartAndWait } from "./Restarter.ts"
import * as RestartStore from "./RestartStore.ts"
import { ServiceRuntime } from "./ServiceRuntime.ts"
import { serviceSettings } from "./Settings.ts"
import { conditionOf } from "./Snapshot.ts"

const words = shippedTexts("watchdog.restarts", {
  en: {
    fails: long(
      "{name} still fails after {restarts} restarts in {minutes} minutes; the watchdog has stopped, ",
      "and a person is needed"
    ),
    works: "{name} works again"
  },
  de: {
    fails: long(
      "{name} scheitert auch nach {restarts} Neustarts in {minutes} Minuten; ",
      "der Watchdog hat aufgehört, ein Mensch muss nachsehen"
    ),
    works: "{name} arbeitet wieder"
  }
})

type Needs = ServiceRuntime | SqlClient.SqlClient | PgClient.PgClient | Database | Alerts

export class CriticalKeeper extends Context.Service<
  CriticalKeeper,
  {
    readonly actors: ReadonlyArray<ActorSpec<Needs>>
    /** Asks for an early look at a service. False when it is not critical. */
    readonly restartCritical: (name: string, reason: string) => Effect.Effect<boolean>
    /** Whether the watchdog has used up the restarts of the service. */
    readonly gaveUp: (name: string) => boolean
  }
>()("signalbox/watchdog/CriticalKeeper") {}

/** Requested by, in the table of restarts and in the audit log. */
const watchdog = "watchdog"

/** Length of the lease in intervals. Reason: a restart and the wait for health take longer than one interval. */
const leaseIntervals = 3

/** Longest wait for Postgres before the keeper goes on from memory. */
const storePatience = Duration.seconds(3)

/** Longest wait for Postgres when the keeper stops. Reason: short against the time that the daemon has to stop. */
const releasePatience = Duration.seconds(2)

export const layer: Layer.Layer<CriticalKeeper, ConfigInvalid> = Layer.effect(
  CriticalKeeper,
  Effect.gen(function* () {
    const config = yield* settings(serviceSettings)
    const options = {
      after: config.restartAfter * config.second,
      patience: config.restartPatience * config.second,
      budget: config.restartBudget,
      window: config.restartWindow * 60 * config.second
    }
    const worker = randomUUID()
    const states = new Map<string, State>()
    const urgent = new Map<string, string>()
    const wake = Latch.makeUnsafe(false)
    /** Lease of the last round that reached Postgres. */
    let isKeeper = false
    let isLoaded = false

    /** Undefined while Postgres is away. */
    const stored = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      effect.pipe(
        Effect.timeout(storePatience),
        Effect.catch((error) => Effect.as(Effect.logDebug("critical services: no database", error), undefined))
      )

    const takeLease = Effect.gen(function* () {
      const seconds = Math.max(30, config.restartInterval * leaseIntervals) + config.restartPatience
      const held = yield* stored(CriticalStore.lease(worker, seconds))
      if (held === undefined) return isKeeper
      if (!held) isLoaded = false
      isKeeper = held
      if (held && !isLoaded) {
        const found = yield* stored(CriticalStore.read())
        for (const [name, state] of found ?? []) states.set(name, state)
        isLoaded = found !== undefined
      }
      return isKeeper
    })

    /** A keeper that cannot release its lease goes on as holder when it starts again. */
    const releaseLease = CriticalStore.release(worker).pipe(
      Effect.interruptible,
      Effect.timeout(releasePatience),
      Effect.andThen(
        Effect.sync(() => {
          isKeeper = false
          isLoaded = false
        })
      ),
      Effect.ignore
    )

    const observe = Effect.fnUntraced(function* (critical: Critical, ill: ReadonlySet<string>) {
      const runtime = yield* ServiceRuntime
      const service = runtime.parse(critical.name)
      const at = yield* Clock.currentTimeMillis
      const waitsFor = critical.after.filter((name) => ill.has(name))
      const base = { at, waitsFor, engineRestarts: null, ...(urgent.has(critical.name) && { urgent: true }) }
      if (service === undefined) return { ...base, condition: "unknown" } satisfies Observation
      return yield* Effect.match(runtime.find(service), {
        onSuccess: (found): Observation => ({ ...base, condition: conditionOf(found), engineRestarts: found.restarts }),
        // A service that is gone is ill; a source that does not answer tells nothing.
        onFailure: ({ reason }): Observation => ({
          ...base,
          condition: reason._tag === "NoSuchService" ? "ill" : "unknown"
        })
      })
    })

    /**
     * The observation before a restart, with the dependencies looked at once more. Reason: one that failed after this
     * round's look at it must be restarted first.
     */
    const observeAgain = Effect.fnUntraced(function* (critical: Critical, seen: Observation, ill: Set<string>) {
      for (const name of critical.after) {
        const dependency = yield* observe({ name, after: [] }, ill)
        if (dependency.condition !== "well") ill.add(name)
      }
      return { ...seen, waitsFor: critical.after.filter((name) => ill.has(name)) }
    })

    const save = (name: string, before: State, state: State) =>
      JSON.stringify(before) === JSON.stringify(state) ? Effect.void : stored(CriticalStore.write(name, state))

    const restart = Effect.fnUntraced(function* ({ name }: Critical, reason: string) {
      const actor = yield* Actor
      const runtime = yield* ServiceRuntime
      const service = runtime.parse(name)!
      const row = yield* stored(
        transaction(
          Effect.gen(function* () {
            const made = yield* RestartStore.request(service, { actor: watchdog, reason })
            if (made.isNew) yield* RestartStore.take(made.restart.id)
            yield* Audit.write({
              tenantId: providerTenant,
              actor: watchdog,
              action: "service.restarted",
              entity: "service",
              id: name,
              detail: { reason }
            })
            return made
          })
        )
      )
      // A person has requested the same restart, and another actor carries it out.
      if (row !== undefined && !row.isNew) return
      yield* Effect.logWarning(`restarting ${name}: ${reason}`)
      const problem = yield* restartAndWait(service, config.restartPatience, actor.progress, config.second)
      yield* Effect.logWarning(`restarted ${name}: ${problem ?? "healthy"}`)
      if (row !== undefined) yield* stored(RestartStore.finish(row.restart.id, problem))
    })

    const tell = Effect.fnUntraced(function* ({ name }: Critical, failing: boolean) {
      const alerts = yield* Alerts
      const at = new Date(yield* Clock.currentTimeMillis)
      const said = { name, restarts: config.restartBudget, minutes: config.restartWindow }
      const told = ({ fails, works }: ReturnType<typeof words>) => (failing ? fails(said) : works(said))
      const summary = told(words("en"))
      const summaryDe = told(words("de"))
      yield* Effect.logError(summary)
      yield* Effect.ignore(
        alerts.tell({ key: `restart ${name}`, group: name, severity: "critical", summary, summaryDe, failing, at })
      )
    })

    const act = (action: Action, critical: Critical, reason: string) =>
      action === "restart"
        ? restart(critical, reason)
        : action === "none"
          ? Effect.void
          : tell(critical, action === "give_up")

    const round = Effect.gen(function* () {
      const actor = yield* Actor
      if (!(yield* takeLease)) return "another process of this host restarts"
      const ill = new Set<string>()
      // Dependencies come first in the list, so their state is known, and they are restarted before.
      for (const critical of config.critical) {
        yield* actor.progress
        const before = states.get(critical.name) ?? initial
        const first = yield* observe(critical, ill)
        const isRestart = decide(before, first, options).action === "restart"
        const seen = isRestart ? yield* observeAgain(critical, first, ill) : first
        const { action, state } = decide(before, seen, options)
        states.set(critical.name, state)
        // Before the restart, so that a watchdog that dies in it has counted it.
        yield* save(critical.name, before, state)
        const reason = urgent.get(critical.name) ?? `found ${seen.condition}`
        urgent.delete(critical.name)
        yield* act(action, critical, reason)
        const after = action === "restart" ? yield* observe(critical, ill) : seen
        if (after.condition !== "well") ill.add(critical.name)
      }
      return ill.size === 0 ? `${config.critical.length} services well` : `not well: ${[...ill].join(", ")}`
    })

    const keeper: ActorSpec<Needs> = {
      name: "critical services",
      stallAfter: Duration.minutes(5),
      run: Effect.gen(function* () {
        const actor = yield* Actor
        yield* Effect.addFinalizer(() => releaseLease)
        while (true) {
          yield* actor.progress
          yield* actor.note(yield* round)
          yield* Latch.await(wake).pipe(
            Effect.timeout(Duration.millis(config.restartInterval * config.second)),
            Effect.ignore
          )
          Latch.closeUnsafe(wake)
        }
      })
    }

    return CriticalKeeper.of({
      actors: config.critical.length === 0 ? [] : [keeper],
      restartCritical: (name, reason) =>
        Effect.sync(() => {
          if (!config.critical.some((critical) => critical.name === name)) return false
          urgent.set(name, reason.slice(0, 200))
          Latch.openUnsafe(wake)
          return true
        }),
      gaveUp: (name) => (states.get(name)?.gaveUpAt ?? null) !== null
    })
  })
)
