/**
 * The only way to start a loop. An actor has a name, a restart policy, a named backoff and a restart intensity. It
 * reports its state, restarts, last failure and last progress, which `/health` shows as a tree.
 *
 * RestartDecision distinguishes defects from failures, at the outer edge of the loop and nowhere else. Each daemon has
 * one supervisor. When an actor escalates, `escalated` completes and the suite decides: end the process, or rebuild the
 * daemon.
 */
import { Cause, Clock, Context, Deferred, Duration, Effect, Exit, Layer, Random, type Scope } from "effect"
import { ownWordsOf } from "../log/OwnWords.ts"
import * as Metrics from "../metrics/Metrics.ts"
import * as Backoff from "./Backoff.ts"
import { decide, defaultIntensity, type Ending, type Intensity, type RestartPolicy } from "./RestartDecision.ts"

/** An actor's access to its own health. A loop calls `progress` in each round. */
export class Actor extends Context.Service<
  Actor,
  {
    readonly name: string
    /** Records progress: resets the backoff and the stall clock. */
    readonly progress: Effect.Effect<void>
    /** Sets a short text such as `idle on INBOX`, which `/health` shows. */
    readonly note: (text: string) => Effect.Effect<void>
  }
>()("signalbox/core/Actor") {}

export interface ActorSpec<R = never> {
  readonly name: string
  /** Runs in its own scope: forks and resources end with it, before the next start. */
  readonly run: Effect.Effect<unknown, unknown, R | Actor | Scope.Scope>
  /** Default `permanent`. */
  readonly policy?: RestartPolicy
  /** Default `Backoff.standard`. */
  readonly backoff?: Backoff.Backoff
  /** Ends the pause before a restart when it completes, such as after a change of the settings. */
  readonly early?: Effect.Effect<void>
  readonly intensity?: Intensity
  /**
   * Longest time without progress while running. Then the actor counts as stalled, and the watchdog is no longer fed.
   * Default 90 s.
   */
  readonly stallAfter?: Duration.Duration
  /** Runs in exactly one process of the fleet, chosen by the cluster and restarted by this supervisor. */
  readonly placed?: boolean
  /** One of thousands of similar actors: `/health` shows it only while it is unhealthy. */
  readonly crowd?: boolean
}

export type ActorState = "elsewhere" | "running" | "waiting" | "stopped" | "escalated"

/** An actor as `/health` shows it. Times are ISO 8601. */
export interface ActorStatus {
  readonly name: string
  readonly state: ActorState
  readonly since: string
  readonly restarts: number
  readonly placed: boolean
  readonly note: string | undefined
  readonly last_failure: { readonly at: string; readonly message: string } | undefined
  readonly last_progress: string | undefined
  readonly stalled: boolean
  readonly crowd?: true
}

/** Default of `stallAfter`. Reason: loops report progress at least every 30 s, so three missed reports are a stall. */
export const defaultStall = Duration.seconds(90)

/** How long an actor must run before earlier failures no longer lengthen its backoff. */
const settledAfter = Duration.seconds(30)

/**
 * Interval at which an identical failure is logged again. Reason: a night without database must not write 30,000 lines;
 * `/health` shows the failure all the time.
 */
const repeatTold = Duration.minutes(1)

/** Actors of a daemon by state. A stalled actor is not counted as running. */
export interface Census {
  readonly daemon: string
  readonly states: ReadonlyMap<ActorState | "stalled", number>
}

const restarted = Metrics.counter("actor_restarts_total", {
  help: "Restarts of actors after a failure or defect, by daemon and actor; `crowd` is one of many similar actors.",
  labels: ["daemon", "actor", "ending"]
})

interface Entry {
  readonly spec: Omit<ActorSpec<never>, "run">
  state: ActorState
  since: number
  restarts: number
  note: string | undefined
  failure: { readonly at: number; readonly message: string } | undefined
  progressAt: number | undefined
  /**
   * The same on the monotonic clock: a wall clock that is set forward must not let every actor seem stalled. Unit:
   * milliseconds, as a number, because thousands of them are compared in a row.
   */
  lively: number
  /** Unit: milliseconds. */
  readonly stallAfter: number
}

/** Services of an actor that the starting code must provide. The supervisor provides Actor and Scope. */
export type Needs<R> = Exclude<Exclude<R, Actor>, Scope.Scope>

export class Supervisor extends Context.Service<
  Supervisor,
  {
    readonly daemon: string
    /**
     * Registers an actor of the daemon. It starts once the whole daemon is built and ends with the daemon. It runs with
     * the services that are present at registration.
     */
    readonly actor: <R>(spec: ActorSpec<R>) => Effect.Effect<void, never, Needs<R>>
    /** Starts an actor at once, in the caller's scope; it ends with that scope. Names are unique while they live. */
    readonly start: <R>(spec: ActorSpec<R>) => Effect.Effect<void, never, Needs<R> | Scope.Scope>
    /** Starts the registered actors, in the order of registration. */
    readonly startRegistered: Effect.Effect<void, never, Scope.Scope>
    readonly statuses: Effect.Effect<ReadonlyArray<ActorStatus>>
    /** Number of actors by state. Cheap, also for thousands of actors. */
    readonly census: Effect.Effect<Census>
    /** Completes with the actor's name and last failure once a restart intensity is exceeded. */
    readonly escalated: Effect.Effect<{ readonly actor: string; readonly message: string }>
  }
>()("signalbox/core/Supervisor") {
  /** Registers an actor of the feature that is being built. */
  static readonly actor = <R>(spec: ActorSpec<R>): Effect.Effect<void, never, Needs<R> | Supervisor> =>
    Effect.flatMap(Supervisor, (supervisor) => supervisor.actor(spec))

  /** Registers several actors. */
  static readonly actors = <R>(specs: ReadonlyArray<ActorSpec<R>>): Effect.Effect<void, never, Needs<R> | Supervisor> =>
    Effect.forEach(specs, (spec) => Supervisor.actor(spec), { discard: true })
}

/** Places an actor: runs `run` here while this process owns `name`. Implemented by core/cluster. */
export type Place = (name: string, run: Effect.Effect<void>) => Effect.Effect<void, never, Scope.Scope>

export const make = Effect.fnUntraced(function* (daemon: string, place: Place) {
  const entries = new Map<string, Entry>()
  const escalation = yield* Deferred.make<{ readonly actor: string; readonly message: string }>()

  const start = Effect.fnUntraced(function* <R>(spec: ActorSpec<R>) {
    const now = yield* Clock.currentTimeMillis
    const entry: Entry = {
      spec,
      state: spec.placed ? "elsewhere" : "running",
      since: now,
      restarts: 0,
      note: undefined,
      failure: undefined,
      progressAt: undefined,
      lively: yield* monotonicMillis,
      stallAfter: Duration.toMillis(spec.stallAfter ?? defaultStall)
    }
    yield* Effect.acquireRelease(
      Effect.suspend(() => {
        if (entries.has(spec.name)) return Effect.die(new Error(`actor ${spec.name} is already running in ${daemon}`))
        entries.set(spec.name, entry)
        return Effect.void
      }),
      () => Effect.sync(() => entries.delete(spec.name))
    )
    const loop = Effect.annotateLogs(supervise(daemon, entry, spec.run, escalation), { actor: spec.name })
    // Only a placed actor runs in a foreign fiber, without the caller's services. Providing them to every actor would
    // keep copies of the whole context per actor, of which there are thousands.
    if (spec.placed) {
      const services = yield* Effect.context<Needs<R>>()
      const placed = Effect.updateContext(loop, (current: Context.Context<never>) => Context.merge(current, services))
      yield* place(spec.name, placed)
    } else yield* Effect.forkScoped(loop)
  })

  const registered: Array<Effect.Effect<void, never, Scope.Scope>> = []
  const actor = <R>(spec: ActorSpec<R>): Effect.Effect<void, never, Needs<R>> =>
    Effect.contextWith((services: Context.Context<Needs<R>>) =>
      Effect.sync(() => {
        const started = Effect.updateContext(start(spec), (current: Context.Context<Scope.Scope>) =>
          Context.merge(services, current)
        )
        registered.push(started)
      })
    )

  return Supervisor.of({
    daemon,
    actor,
    start,
    startRegistered: Effect.suspend(() => Effect.all(registered, { discard: true })),
    statuses: Effect.map(monotonicMillis, (now) => Array.from(entries.values(), (entry) => status(entry, now))),
    census: Effect.map(monotonicMillis, (now) => {
      const states = new Map<ActorState | "stalled", number>()
      for (const entry of entries.values()) {
        const state = isStalled(entry, now) ? "stalled" : entry.state
        states.set(state, (states.get(state) ?? 0) + 1)
      }
      return { daemon, states }
    }),
    escalated: Deferred.await(escalation)
  })
})

/** A supervisor that runs every placed actor in this process. For tests. */
export const layerLocal = (daemon: string): Layer.Layer<Supervisor> =>
  Layer.effect(
    Supervisor,
    make(daemon, (_name, run) => Effect.asVoid(Effect.forkScoped(run)))
  )

/** Keeps an actor alive whose work happens in callbacks, such as a listening server. Ticks until interrupted. */
export const idle: Effect.Effect<never, never, Actor> = Effect.flatMap(Actor, (actor) =>
  Effect.forever(Effect.andThen(actor.progress, Effect.sleep(Duration.seconds(20))))
)

const supervise = Effect.fnUntraced(function* <R>(
  daemon: string,
  entry: Entry,
  run: ActorSpec<R>["run"],
  escalation: Deferred.Deferred<{ readonly actor: string; readonly message: string }>
) {
  const spec = entry.spec
  const policy = spec.policy ?? "permanent"
  let defects: ReadonlyArray<number> = []
  let attempt = 0
  let told: { readonly at: number; readonly message: string } | undefined
  const enter = (state: ActorState) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      entry.state = state
      entry.since = now
      return now
    })
  const handle = Actor.of({
    name: spec.name,
    progress: Effect.clockWith((clock) =>
      Effect.sync(() => {
        entry.progressAt = clock.currentTimeMillisUnsafe()
        entry.lively = Number(clock.monotonicTimeNanosUnsafe()) / 1e6
      })
    ),
    note: (text) => Effect.sync(() => (entry.note = text))
  })
  // An escalated actor keeps its state, so `/health` shows why the daemon is down.
  yield* Effect.addFinalizer(() =>
    entry.state === "escalated" ? Effect.void : enter(spec.placed ? "elsewhere" : "stopped")
  )
  while (true) {
    const startedAt = yield* enter("running")
    entry.progressAt = startedAt
    entry.lively = yield* monotonicMillis
    const exit: Exit.Exit<unknown, unknown> = yield* Effect.exit(
      Effect.scoped(Effect.provideService(run, Actor, handle))
    )
    const now = yield* Clock.currentTimeMillis
    // Stopping an actor interrupts this loop, which then does not reach this line. An interrupt seen here came from
    // inside the actor, which makes it a defect.
    const fromWithin = Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)
    const ending: Ending = Exit.isSuccess(exit)
      ? "finished"
      : fromWithin || Cause.hasDies(exit.cause)
        ? "defect"
        : "failed"
    const message = Exit.isSuccess(exit)
      ? "ended though it is permanent"
      : fromWithin
        ? "was interrupted from within"
        : describe(exit.cause)
    if (ending !== "finished" || policy === "permanent")
      entry.failure = {
        at: now,
        message: Exit.isSuccess(exit) || fromWithin ? message : ownWordsOf(Cause.squash(exit.cause))
      }
    if (now - startedAt >= Duration.toMillis(settledAfter)) attempt = 0
    const decision = decide(policy, spec.intensity ?? defaultIntensity, defects, ending, now)
    if (decision._tag === "Stop") {
      yield* enter("stopped")
      return
    }
    if (decision._tag === "Escalate") {
      yield* enter("escalated")
      yield* Effect.logFatal(`${daemon}: actor ${spec.name} keeps breaking: ${message}`)
      yield* Deferred.succeed(escalation, { actor: spec.name, message })
      return
    }
    defects = decision.defects
    attempt += 1
    entry.restarts += 1
    restarted.add({ daemon, actor: spec.crowd === true ? "crowd" : spec.name, ending })
    const backoff = spec.backoff ?? Backoff.standard
    const wait = Backoff.delay(backoff, attempt, yield* Random.next)
    yield* enter("waiting")
    const isRepeat =
      ending === "failed" && attempt > 1 && told?.message === message && now - told.at < Duration.toMillis(repeatTold)
    if (!isRepeat) told = { at: now, message }
    yield* (isRepeat ? Effect.logDebug : ending === "failed" ? Effect.logWarning : Effect.logError)(
      `actor ${ending === "failed" ? "failed" : "broke"}: ${message}; again in ${Duration.toMillis(wait)} ms`,
      ...(Exit.isFailure(exit) && ending === "defect" ? [exit.cause] : [])
    ).pipe(Effect.annotateLogs({ backoff: backoff.name, restarts: entry.restarts }))
    yield* spec.early === undefined ? Effect.sleep(wait) : Effect.raceFirst(Effect.sleep(wait), spec.early)
  }
}, Effect.scoped)

/** One line for people: the message of a typed error or defect. Stack traces stay in the logged cause. */
export const describe = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  const text = error instanceof Error ? (error.message !== "" ? error.message : error.name) : String(error)
  return text.split("\n", 1)[0]!.slice(0, 500)
}

const iso = (ms: number): string => new Date(ms).toISOString()

/** Unit: milliseconds. */
const monotonicMillis = Effect.map(Clock.monotonicTimeNanos, (nanos) => Number(nanos) / 1e6)

/** `now`: on the monotonic clock, in milliseconds. */
const isStalled = (entry: Entry, now: number): boolean =>
  entry.state === "running" && now - entry.lively > entry.stallAfter

const status = (entry: Entry, now: number): ActorStatus => ({
  name: entry.spec.name,
  state: entry.state,
  since: iso(entry.since),
  restarts: entry.restarts,
  placed: entry.spec.placed ?? false,
  note: entry.note,
  last_failure: entry.failure && { at: iso(entry.failure.at), message: entry.failure.message },
  last_progress: entry.progressAt === undefined ? undefined : iso(entry.progressAt),
  stalled: isStalled(entry, now),
  ...(entry.spec.crowd === true ? { crowd: true } : {})
})

/** Whether an actor with this status is healthy. */
export const isWell = (actor: ActorStatus): boolean =>
  !actor.stalled && actor.state !== "waiting" && actor.state !== "escalated"
