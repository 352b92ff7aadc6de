/**
 * Checks every component again and again. One process in the fleet does, all show.
 *
 * Whose turn it is, is told by the cluster: the placed actor `checks` runs there and claims the writing (Records.ts).
 * The rounds themselves go on in an actor of each process's own, which does nothing elsewhere: while Postgres is away
 * the cluster places nobody, and that is when people look. Who checked last then goes on, keeps what it measures
 * (Measurements.ts), and writes it when Postgres is back, unless another has taken over.
 */
import { Context, Duration, Effect, Fiber, Latch, Layer, Random, Semaphore } from "effect"
import type { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { settings } from "#core/config/Environment.ts"
import { answerWithin } from "#core/supervision/AnswerWithin.ts"
import * as Backoff from "#core/supervision/Backoff.ts"
import type { Events } from "#core/events/Events.ts"
import type { Component as HealthComponent } from "#core/daemon/Health.ts"
import { Actor, type ActorSpec } from "#core/supervision/Supervisor.ts"
import type { Wake } from "#core/events/Wake.ts"
import { type CheckConfig, checkSettings } from "./Settings.ts"
import { StatusFiles, statusFiles } from "../status-files/Exports.ts"
import type { Component, ComponentState } from "../status/Model.ts"
import * as ProberService from "./Prober.ts"
import { Prober, isMeasured } from "./Prober.ts"
import { Measurements, type Check } from "./Measurements.ts"
import type { Moment } from "./Days.ts"
import { statusOfOutcomes } from "./OutcomeStatus.ts"
import * as Records from "./Store.ts"
import { healthOf, type RoundReport } from "./RoundReport.ts"

/**
 * Share of the interval over which the components of a round are spread, at most. Reason: a check may come late by half
 * an interval and no gap is seen.
 */
const spreadShare = 0.15

/**
 * What spreading takes for one component. Unit: milliseconds. Reason: so few start at once that targets on this host do
 * not feel it.
 */
const spreadEach = 25

/** Share of the interval within which a round ends. */
const roundShare = 0.95

/**
 * Longest round. Unit: milliseconds. Reason: 500 components that all hang take half of it; longer is a mistake of ours.
 */
const longestRound = 600_000

/** Share of the interval that a round waits, at its end, to learn of maintenance. */
const lookShare = 0.1

/**
 * How long one writing, or reading, may take before it counts as failed. Unit: seconds. Reason: 10 ms on an idle
 * machine.
 */
const patience = 5

/** The longest between two signs of life. Unit: milliseconds. Reason: the watchdog wants one every 30 s. */
const tick = 20_000

export class Checking extends Context.Service<
  Checking,
  {
    /**
     * What this process saw last, by component: newer than the database's while that is away. Empty where another
     * process checks.
     */
    readonly latest: () => ReadonlyMap<string, ComponentState>
    readonly health: () => HealthComponent
    /** `checks` is placed; the others run in every process. */
    readonly actors: ReadonlyArray<ActorSpec>
  }
>()("signalbox/status-checker/Checking") {}

export const layer = (
  config: CheckConfig
): Layer.Layer<Checking, never, SqlClient.SqlClient | Wake | Events | StatusFiles> =>
  Layer.effect(Checking, make(config)).pipe(Layer.provide(ProberService.layer(config)))

/** The checks as the settings say; one instance for all features. */
export const checking = Layer.unwrap(Effect.map(settings(checkSettings), (config) => layer(config))).pipe(
  Layer.provide(statusFiles)
)

const make = Effect.fnUntraced(function* (config: CheckConfig) {
  const files = yield* StatusFiles
  const prober = yield* Prober
  const context = yield* Effect.context<SqlClient.SqlClient | Wake | Events>()
  const interval = 1_000 * config.checkInterval
  const measurements = new Measurements({ ...config, interval })
  /** By whose name this process writes; undefined: it is not the one that checks. */
  let writer: string | undefined
  let report: RoundReport | undefined
  let writeTrouble: string | undefined
  let maintenance: ReadonlyArray<Records.Window> = []
  let isLooking = false
  let asked = new Map<string, string>()
  /** Opened when there may be something to check, to write. */
  const toCheck = Latch.makeUnsafe(false)
  const toWrite = Latch.makeUnsafe(false)
  /** Nobody claims while a batch is on its way, as far as we wait for it. */
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
      // Another had taken over and is gone.
      if (writer === undefined) return yield* Effect.fail(new Error("another process checked meanwhile"))
    }
  })

  const measuredNow = (): ReadonlyArray<Component> => files.components().filter(isMeasured)
  const howAsked = ({ container, probes }: Component): string => JSON.stringify([container, probes])
  const now = () => ({ wall: Date.now(), monotonic: Math.floor(performance.now()) }) satisfies Moment
  const roundLimit = Math.min(roundShare * interval, longestRound)

  /** One at a time: while Postgres hangs, looks would wait in line for it. */
  const look = (mine: string) =>
    Effect.suspend(() => {
      if (isLooking) return Effect.void
      isLooking = true
      return Effect.match(inDatabase(Records.look(mine)), {
        // What was read before tells of days to come.
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
    const results = yield* prober.probe(component, until)
    return { componentId: component.id, at, results, found: statusOfOutcomes(results.map(({ outcome }) => outcome)) }
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
    // Somebody else's by now: what was found here is theirs to find.
    if (writer !== mine) return
    const present = new Set(measuredNow().map(({ id }) => id))
    measurements.keep(Array.from(present))
    measurements.take(checks.map(underMaintenance))
    for (const component of components) asked.set(component.id, howAsked(component))
    // A round may be one of new components only.
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
    let nextAt = performance.now()
    while (true) {
      yield* actor.progress
      Latch.closeUnsafe(toCheck)
      const isDue = performance.now() >= nextAt
      if (writer === undefined) {
        nextAt = performance.now()
        yield* actor.note("another process checks")
      } else {
        const all = measuredNow()
        const chosen = isDue ? all : all.filter((component) => asked.get(component.id) !== howAsked(component))
        // Rounds that were missed are not made up for.
        if (isDue) nextAt = Math.max(nextAt + interval, performance.now() + interval / 2)
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
          yield* Effect.logWarning(`what was measured cannot be written and is kept: ${outcome.trouble}`)
        writeTrouble = outcome.trouble
        yield* Effect.sleep(Backoff.delay(Backoff.eager, ++failures, yield* Random.next))
        Latch.openUnsafe(toWrite)
      } else {
        if (writeTrouble !== undefined && outcome === "written")
          yield* Effect.logInfo("what was measured is written again")
        failures = 0
        writeTrouble = undefined
        // What came while it was written.
        if (outcome === "written") Latch.openUnsafe(toWrite)
      }
    }
  })

  return Checking.of({
    latest: () => measurements.latest(),
    health: () =>
      healthOf(
        { checks: writer !== undefined, report, writeTrouble, waiting: measurements.waiting(), interval },
        Date.now()
      ),
    actors: [
      { name: "checks", placed: true, run: duty, backoff: Backoff.eager },
      { name: "rounds", run: rounds, stallAfter: Duration.millis(roundLimit + 3 * tick) },
      { name: "records", run: Effect.raceFirst(writing, ticking), stallAfter: Duration.millis(4 * tick) }
    ]
  })
})

/** Signs of life of a loop that waits for work. */
const ticking = Effect.flatMap(Actor, (actor) => Effect.forever(Effect.andThen(actor.progress, Effect.sleep(tick))))
