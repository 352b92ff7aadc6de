/**
 * Health of a daemon: its components, its actors, the delay of the event loop, event readers that are late, and the age
 * of the oldest open transaction, which holds them back. The verdict is a pure function. Health queries no peer itself;
 * actors keep the facts current.
 */
import { Context, Duration, Effect, Layer, Schema } from "effect"
import { answerWithin } from "../supervision/AnswerWithin.ts"
import { Events } from "../events/Events.ts"
import { measure } from "../supervision/LoopDelay.ts"
import { type ActorStatus, isWell, Supervisor } from "../supervision/Supervisor.ts"

/** `ok`: works. `degraded`: works with restrictions. `down`: does not do its task. */
export const Verdict = Schema.Literals(["ok", "degraded", "down"])
export type Verdict = typeof Verdict.Type

/** Health of a part that the daemon depends on. `unconfigured` does not degrade the daemon. */
export interface Component {
  readonly status: "ok" | "degraded" | "down" | "unconfigured"
  /** English sentences with "; " between them, each declared in the daemon's `HealthTexts.ts` (HealthLanguage.ts). */
  readonly detail?: string
  readonly [extra: string]: unknown
}

export interface HealthReport {
  readonly status: Verdict
  readonly daemon: string
  readonly components: Readonly<Record<string, Component>>
  readonly actors: ReadonlyArray<ActorStatus>
  /** 99th percentile of the process, since the previous report of any daemon. Unit: milliseconds. */
  readonly event_loop_delay_ms: number
  /** Age of the oldest open write transaction. Unit: seconds; null when the database does not answer. */
  readonly oldest_transaction_s: number | null
}

/** Marks a sentence that becomes part of a detail, so that tests/healthTexts.test.ts finds it. */
export const healthSentence = (sentence: string): string => sentence

/** Event-loop delay above which the daemon is degraded. Unit: milliseconds. */
const slowLoop = 200

/** Age of the oldest transaction above which the daemon is degraded. Unit: seconds. */
const oldTransaction = 10

/** Maximum number of unhealthy crowd actors shown. Reason: a few are enough to recognise the problem. */
const mostOfCrowd = 20

/**
 * Longest time for which the verdict is kept. Reason: a report queries the database and restarts the measurement of the
 * event loop, and strangers may ask for the verdict at any rate.
 */
const verdictAge = Duration.seconds(1)

/** Longest wait for the database. Unit: seconds. */
const patience = 2

/** Reads components by name at each report, from facts in memory. */
export type ReadComponents = Effect.Effect<Readonly<Record<string, Component>>>

export class Health extends Context.Service<
  Health,
  {
    /** Name of the daemon. */
    readonly daemon: string
    readonly report: Effect.Effect<HealthReport>
    /** Verdict of the latest report, at most `verdictAge` old. For callers who may not see the report. */
    readonly verdict: Effect.Effect<Verdict>
    /** True once every actor of the daemon has been started and the database answers. */
    readonly ready: Effect.Effect<boolean>
    readonly register: (read: ReadComponents) => Effect.Effect<void>
  }
>()("signalbox/core/Health") {
  /** Registers a component of the feature that is being built. */
  static readonly component = <R>(
    name: string,
    read: Effect.Effect<Component, never, R>
  ): Effect.Effect<void, never, R | Health> =>
    Health.components(Effect.map(read, (component) => ({ [name]: component })))

  /** Registers components whose names or number are known only at the time of the report. */
  static readonly components = <R>(
    read: Effect.Effect<Readonly<Record<string, Component>>, never, R>
  ): Effect.Effect<void, never, R | Health> =>
    Effect.contextWith((services: Context.Context<R | Health>) =>
      Context.get(services, Health).register(
        Effect.updateContext(read, (current: Context.Context<never>) => Context.merge(current, services))
      )
    )
}

export const layer: Layer.Layer<Health, never, Events | Supervisor> = Layer.effect(
  Health,
  Effect.gen(function* () {
    const supervisor = yield* Supervisor
    const events = yield* Events
    const registered: Array<ReadComponents> = []
    const delays = yield* measure
    const horizon = answerWithin(
      Effect.catch(events.horizonAge, () => Effect.succeed(null)),
      Duration.seconds(patience),
      () => Effect.succeed(null)
    )
    const report = Effect.gen(function* () {
      const oldest = yield* horizon
      const actors = yield* supervisor.statuses
      const own = yield* Effect.forEach(registered, (read) => read)
      const { p99: delay } = delays()
      const late = yield* events.catchingUp
      const all: Record<string, Component> = Object.assign(
        { database: database(oldest), ...(late.length > 0 && { events: catchingUp(late) }) },
        ...own
      )
      return {
        status: verdict(all, actors, delay),
        daemon: supervisor.daemon,
        components: all,
        actors: shown(actors),
        event_loop_delay_ms: Math.round(delay * 10) / 10,
        oldest_transaction_s: oldest
      }
    })
    return Health.of({
      daemon: supervisor.daemon,
      report,
      verdict: yield* Effect.cachedWithTTL(
        Effect.map(report, ({ status }) => status),
        verdictAge
      ),
      ready: Effect.map(horizon, (age) => age !== null),
      register: (read) => Effect.sync(() => void registered.push(read))
    })
  })
)

/** `oldest`: age of the oldest open transaction in seconds; null when the database does not answer. */
const database = (oldest: number | null): Component =>
  oldest === null
    ? { status: "down", detail: "does not answer" }
    : oldest > oldTransaction
      ? { status: "degraded", detail: `a transaction is open for ${Math.round(oldest)} s and holds back events` }
      : { status: "ok" }

/** The component of event readers that have old events to handle. */
const catchingUp = (late: ReadonlyArray<{ readonly consumer: string; readonly at: Date }>): Component => ({
  status: "degraded",
  detail: late
    .map(({ at, consumer }) => healthSentence(`catching up: ${consumer} has read until ${at.toISOString()}`))
    .join("; ")
})

/** All actors except healthy ones of a crowd; at most `mostOfCrowd` unwell ones of crowds. */
export const shown = (actors: ReadonlyArray<ActorStatus>): ReadonlyArray<ActorStatus> => {
  const ill = actors.filter((actor) => actor.crowd === true && !isWell(actor))
  return [...actors.filter(({ crowd }) => crowd !== true), ...ill.slice(0, mostOfCrowd)]
}

/** Verdict of the daemon from its parts. */
export const verdict = (
  components: Readonly<Record<string, Component>>,
  actors: ReadonlyArray<ActorStatus>,
  loopDelay: number
): Verdict => {
  const parts = Object.values(components)
  if (parts.some((part) => part.status === "down") || actors.some((actor) => actor.state === "escalated")) return "down"
  return parts.some((part) => part.status === "degraded") || !actors.every(isWell) || loopDelay > slowLoop
    ? "degraded"
    : "ok"
}

/** The whole answer for a client that may not see details: the verdict of each daemon. Pure. */
export const publicReport = (daemons: ReadonlyArray<readonly [name: string, status: Verdict]>) => ({
  status: worst(daemons.map(([, status]) => status)),
  daemons: Object.fromEntries(daemons.map(([name, status]) => [name, { status }]))
})

/** The worst of several verdicts. */
export const worst = (verdicts: ReadonlyArray<Verdict>): Verdict =>
  verdicts.includes("down") ? "down" : verdicts.includes("degraded") ? "degraded" : "ok"
