/**
 * Checks all components in rounds. One process of the fleet checks; all processes show the results.
 *
 * The cluster chooses the process: the placed actor `checks` runs there and claims the right to write (Store.ts). The
 * rounds run in a separate actor of every process, which is idle elsewhere. Reason: the cluster places nothing while
 * Postgres is away, which is when people look at the page. The last checker then continues, keeps its results
 * (Measurements.ts) and writes them when Postgres is back, unless another process has taken over.
 */
import { Context, Duration, Effect, Fiber, Latch, Layer, Random, Semaphore } from "effect"
import type { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { settings } from "#core/config/Environment.ts"
import { answerWithin } from "#core/supervision/AnswerWithin.ts"
import { Listening } from "#core/daemon/Listening.ts"
import * as Backoff from "#core/supervision/Backoff.ts"
import type { Events } from "#core/events/Events.ts"
import type { Component as HealthComponent } from "#core/daemon/Health.ts"
import { Actor, type ActorSpec } from "#core/supervision/Supervisor.ts"
import type { Wake } from "#core/events/Wake.ts"
import * as CheckNow from "./CheckNow.ts"
import { type CheckConfig, checkSettings } from "./Settings.ts"
import { StatusFiles, statusFiles } from "../status-files/Exports.ts"
import type { Component, ComponentState } from "../status/Model.ts"
import * as ProberService from "./Prober.ts"
import { Prober, isMeasured } from "./Prober.ts"
import { Measurements, type Check } from "./Measurements.ts"
import type { Moment } from "./Days.ts"
import { statusOfOutcomes } from "./OutcomeStatus.ts"
import { responseTime } from "./ResponseTime.ts"
import * as Records from "./Store.ts"
import { healthOf, type RoundReport } from "./RoundReport.ts"

/**
 * Largest share of the interval over which the components of a round are spread. Reason: a check may be late by half an
 * interval without causing a gap.
 */
const spreadShare = 0.15

/**
 * Spread per component. Unit: milliseconds. Reason: few probes start at once, so targets on this host are not
 * disturbed.
 */
const spreadEach = 25

/** Share of the interval within which a round ends. */
const roundShare = 0.95

/** Longest round. Unit: milliseconds. Reason: 500 components that all time out take half of it. */
const longestRound = 600_000

/** Share of the interval that a round waits, at its end, for the maintenance windows. */
const lookShare = 0.1

/** Timeout of one database access. Unit: seconds. Reason: it takes 10 ms on an idle machine. */
const patience = 5

/**
 * Longest wait of the first round for the listeners of this process. Unit: milliseconds. Reason: shorter than
 * `stallAfter`, and a start takes seconds.
 */
const longestStart = 30_000

/** Longest time between two signs of progress. Unit: milliseconds. Reason: the watchdog expects one every 30 s. */
const tick = 20_000

export class Checking extends Context.Service<
  Checking,
  {
    /**
     * Latest states of this process by component; newer than the database while that is away. Empty in processes that
     * do not check.
     */
    readonly latest: () => ReadonlyMap<string, ComponentState>
    /**
     * Calls `listener` after every change of `latest`. The listener must not throw or block. Returns the function that
     * removes it.
     */
    readonly onChange: (listener: () => void) => () => void
    readonly health: () => HealthComponent
    /** `checks` is placed; the others run in every process. */
    readonly actors: ReadonlyArray<ActorSpec>
  }
>()("signalbox/status-checker/Checking") {}

export const layer = (
  config: CheckConfig
): Layer.Layer<Checking, never, SqlClient.SqlClient | Wake | Events | StatusFiles> =>
  Layer.effect(Checking, make(config)).pipe(Layer.provide(ProberService.layer(config)))

/** Checks of the settings; one instance for all features. */
export const checking = Layer.unwrap(Effect.map(settings(checkSettings), (config) => layer(config))).pipe(
  Layer.provide(statusFiles)
)

const make = Effect.fnUntraced(function* (config: CheckConfig) {
  const files = yield* StatusFiles
  const prober = yield* Prober
  const listening = yield* Listening
  const context = yield* Effect.context<SqlClient.SqlClient | Wake | Events>()
  const interval = 1_000 * config.checkInterval
  const listeners = new Set<() => void>()
  const measurements = new Measurements({
    ...config,
    interval,
    onChange: () => listeners.forEach((listener) => listener())
  })
  /** Id under which this process writes; undefined in processes that do not check. */
  let writer: string | undefined
  let report: RoundReport | undefined
  let writeTrouble: string | undefined
  let maintenance: ReadonlyArray<Records.Window> = []
  let isLooking = false
  /** Somebody asked for a round now. */
  let isRequested = false
  let asked = new Map<string, string>()
  /** Opened when there may be components to check, or results to write. */
  const toCheck = Latch.makeUnsafe(false)
  const toWrite = Latch.makeUnsafe(false)
  /** Prevents a claim while a batch is being written. */
  const claiming = Semaphore.makeUnsafe(1)
  const inDatabase = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient | Wake | Events>) =>
    answerWithin(Effect.provideContext(effect, context), Duration.seconds(patience), () =>
      Effect.fail({ message: `no answer within ${patience} s` })
    )

  const leave = (): void => {
    writer = undefined
    report = undefined
    asked = new Map()
    measurements.leave()
  }

  const duty = Effect.gen(function* () {
    const actor = yield* Actor
    yield* claiming.withPermit(
      Effect.gen(function* () {
        const claimed = yield* Effect.mapError(
          inDatabase(Records.claim(randomUUID(), writer)),
          ({ message }) => new Error(message)
        )
        if (claimed.states !== undefined) measurements.begin(claimed.states)
        writer = claimed.writer
      })
    )
    Latch.openUnsafe(toCheck)
    while (true) {
      yield* actor.progress
      yield* Effect.sleep(tick)
      // Another process took over in the meantime and has ended.
      if (writer === undefined) return yield* Effect.fail(new Error("another process has checked in the meantime"))
    }
  })

  const measuredNow = (): ReadonlyArray<Component> => files.components().filter(isMeasured)
  const howAsked = ({ container, probes }: Component): string => JSON.stringify([container, probes])
  const now = () => ({ wall: Date.now(), monotonic: Math.floor(performance.now()) }) satisfies Moment
  const roundLimit = Math.min(roundShare * interval, longestRound)

  /** One look at a time: while Postgres hangs, looks would queue up. */
  const look = (mine: string) =>
    Effect.suspend(() => {
      if (isLooking) return Effect.void
      isLooking = true
      return Effect.match(inDatabase(Records.look(mine)), {
        // The windows read before reach days ahead.
        onFailure: () => undefined,
        onSuccess: ({ isMine, windows }) => {
          maintenance = windows
          if (!isMine && writer === mine) leave()
        }
      }).pipe(Effect.ensuring(Effect.sync(() => (isLooking = false))))
    })

  const check = Effect.fnUntraced(function* (
    component: Component,
    until: number,
    spread: number
  ): Effect.fn.Return<Check> {
    yield* Effect.sleep(Duration.millis(spread * (yield* Random.next)))
    const at = now()
    const timed = yield* prober.probe(component, until)
    const took = responseTime(timed)
    return {
      componentId: component.id,
      at,
      results: timed.map(({ detail, kind, outcome }) => ({ kind, outcome, detail })),
      found: statusOfOutcomes(timed.map(({ outcome }) => outcome)),
      ...(took === undefined ? {} : { took })
    }
  })

  const underMaintenance = (check: Check): Check =>
    check.found !== undefined && Records.isUnderWay(maintenance, check.componentId, check.at.wall)
      ? { ...check, found: "under_maintenance" }
      : check

  const round = Effect.fnUntraced(function* (components: ReadonlyArray<Component>, mine: string) {
    const startedAt = now()
    const until = performance.now() + roundLimit
    const spread = Math.min(spreadShare * interval, spreadEach * components.length)
    const looking = yield* Effect.forkChild(look(mine))
    const checks = yield* Effect.forEach(components, (component) => check(component, until, spread), {
      concurrency: "unbounded"
    })
    yield* Effect.timeoutOption(Fiber.join(looking), Duration.millis(lookShare * interval))
    // Another process has taken over and measures this round itself.
    if (writer !== mine) return
    const present = new Set(measuredNow().map(({ id }) => id))
    // While SERVICES_FILE cannot be read, its components are missing here, and keep their states.
    if (files.componentsKnown()) measurements.keep(Array.from(present))
    // A component that was deleted during the round must not come back.
    measurements.take(checks.filter(({ componentId }) => present.has(componentId)).map(underMaintenance))
    for (const component of components) asked.set(component.id, howAsked(component))
    // A round may include new components only.
    const others = (report?.checks ?? []).filter(
      ({ componentId }) => present.has(componentId) && !components.some(({ id }) => id === componentId)
    )
    report = { at: startedAt.wall, took: now().monotonic - startedAt.monotonic, checks: [...others, ...checks] }
    Latch.openUnsafe(toWrite)
  })

  const rounds = Effect.gen(function* () {
    const actor = yield* Actor
    yield* Effect.acquireRelease(
      Effect.sync(() => files.onChange(() => Latch.openUnsafe(toCheck))),
      (end) => Effect.sync(end)
    )
    // Components may be services of this process, which would be reported down before its listeners are open.
    yield* Effect.timeoutOption(listening.await, Duration.millis(longestStart))
    let nextAt = performance.now()
    while (true) {
      yield* actor.progress
      Latch.closeUnsafe(toCheck)
      const isScheduled = performance.now() >= nextAt
      const isDue = isScheduled || isRequested
      isRequested = false
      if (writer === undefined) {
        nextAt = performance.now()
        yield* actor.note("another process checks")
      } else {
        const all = measuredNow()
        const chosen = isDue ? all : all.filter((component) => asked.get(component.id) !== howAsked(component))
        // Missed rounds are not repeated.
        if (isScheduled) nextAt = Math.max(nextAt + interval, performance.now() + interval / 2)
        if (isDue || chosen.length > 0) yield* round(chosen, writer)
        yield* actor.note(report === undefined ? "no round yet" : `last round took ${report.took} ms`)
      }
      const rest = writer === undefined ? tick : Math.min(tick, nextAt - performance.now())
      yield* Effect.timeoutOption(toCheck.await, Duration.millis(Math.max(0, rest)))
    }
  })

  const writing = Effect.gen(function* () {
    let failures = 0
    while (true) {
      yield* toWrite.await
      Latch.closeUnsafe(toWrite)
      const outcome = yield* claiming.withPermit(
        Effect.gen(function* () {
          const batch = measurements.batch()
          const mine = writer
          if (batch === undefined || mine === undefined) return undefined
          const ended = yield* Effect.match(inDatabase(Records.write(mine, batch)), {
            onFailure: ({ message }): { readonly trouble: string } => ({ trouble: message }),
            onSuccess: (written) => written
          })
          if (ended === "written") measurements.written(batch)
          if (ended === "lost") leave()
          return ended
        })
      )
      if (typeof outcome === "object") {
        if (writeTrouble === undefined)
          yield* Effect.logWarning(`measurements cannot be written and stay in memory: ${outcome.trouble}`)
        writeTrouble = outcome.trouble
        yield* Effect.sleep(Backoff.delay(Backoff.eager, ++failures, yield* Random.next))
        Latch.openUnsafe(toWrite)
      } else {
        if (writeTrouble !== undefined && outcome === "written") yield* Effect.logInfo("measurements are written again")
        failures = 0
        writeTrouble = undefined
        // Writes what arrived during the last write.
        if (outcome === "written") Latch.openUnsafe(toWrite)
      }
    }
  })

  const requests = Effect.flatMap(Actor, ({ progress }) =>
    CheckNow.requests(
      () => {
        isRequested = true
        Latch.openUnsafe(toCheck)
      },
      progress,
      tick
    )
  ).pipe(Effect.provideContext(context))

  return Checking.of({
    latest: () => measurements.latest(),
    onChange: (listener) => {
      const own = () => listener()
      listeners.add(own)
      return () => void listeners.delete(own)
    },
    health: () =>
      healthOf(
        { checks: writer !== undefined, report, writeTrouble, waiting: measurements.waiting(), interval },
        Date.now()
      ),
    actors: [
      { name: "checks", placed: true, run: duty, backoff: Backoff.eager },
      { name: "rounds", run: rounds, stallAfter: Duration.millis(roundLimit + 3 * tick) },
      { name: "requests", run: requests },
      { name: "records", run: Effect.raceFirst(writing, ticking), stallAfter: Duration.millis(4 * tick) }
    ]
  })
})

/** Reports progress of a loop that waits for work. */
const ticking = Effect.flatMap(Actor, (actor) => Effect.forever(Effect.andThen(actor.progress, Effect.sleep(tick))))
