import { expect, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber, Layer, Logger, References, type Scope } from "effect"
import { TestClock } from "effect/testing"
import * as Backoff from "#core/supervision/Backoff.ts"
import { Actor, type ActorSpec, idle, isWell, layerLocal, make, Supervisor } from "#core/supervision/Supervisor.ts"

const quiet = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.provideService(effect, References.MinimumLogLevel, "None")

const supervised = <A, E>(effect: Effect.Effect<A, E, Supervisor | Scope.Scope>) =>
  quiet(Effect.scoped(Effect.provide(effect, layerLocal("test"))))

const start = (spec: ActorSpec<never>) => Effect.flatMap(Supervisor, (supervisor) => supervisor.start(spec))

const status = (name: string) =>
  Effect.flatMap(Supervisor, (supervisor) =>
    Effect.map(supervisor.statuses, (all) => all.find((one) => one.name === name))
  )

const escalated = Effect.flatMap(Supervisor, (supervisor) => Effect.forkChild(supervisor.escalated))

it.effect("a typed failure is retried forever with backoff, and never escalates", () =>
  supervised(
    Effect.gen(function* () {
      const at: Array<number> = []
      const told = yield* escalated
      yield* start({
        name: "a",
        backoff: { ...Backoff.standard, jitter: 0 },
        run: Effect.andThen(
          Effect.map(
            Effect.clockWith((clock) => clock.currentTimeMillis),
            (now) => at.push(now)
          ),
          Effect.fail("server away")
        )
      })
      yield* TestClock.adjust("1 hour")
      expect(at.slice(0, 8).map((time) => time - at[0]!)).toEqual([0, 200, 600, 1400, 3000, 6200, 12_600, 22_600])
      expect(at.length).toBeGreaterThan(350)
      expect(told.pollUnsafe()).toBeUndefined()
      expect(yield* status("a")).toMatchObject({
        state: "waiting",
        restarts: at.length,
        last_failure: { message: "server away" }
      })
      expect(isWell((yield* status("a"))!)).toBe(false)
    })
  )
)

it.effect("a repeated failure is logged once a minute, a different one at once", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const lines: Array<string> = []
      let why = "server away"
      const logger = Logger.make<unknown, void>(({ message }) => void lines.push(String(message)))
      yield* start({ name: "a", backoff: Backoff.eager, run: Effect.suspend(() => Effect.fail(why)) }).pipe(
        Effect.andThen(TestClock.adjust("10 minutes")),
        Effect.tap(() =>
          Effect.sync(() => {
            expect(lines.length).toBeGreaterThanOrEqual(10)
            expect(lines.length).toBeLessThanOrEqual(12)
            why = "password refused"
          })
        ),
        Effect.andThen(TestClock.adjust("2 seconds")),
        Effect.provide(Layer.merge(layerLocal("test"), Logger.layer([logger])))
      )
      expect(lines.filter((line) => line.includes("password refused"))).toHaveLength(1)
    })
  )
)

it.effect("the backoff resets after the actor ran for a while", () =>
  supervised(
    Effect.gen(function* () {
      const at: Array<number> = []
      let runs = 0
      yield* start({
        name: "a",
        backoff: { ...Backoff.standard, jitter: 0 },
        run: Effect.gen(function* () {
          at.push(yield* Effect.clockWith((clock) => clock.currentTimeMillis))
          if (++runs === 4) yield* Effect.sleep("31 seconds")
          return yield* Effect.fail("away")
        })
      })
      yield* TestClock.adjust("1 minute")
      expect(
        at
          .slice(1)
          .map((time, index) => time - at[index]!)
          .slice(0, 5)
      ).toEqual([200, 400, 800, 31_200, 400])
    })
  )
)

it.effect("more defects than allowed escalate, with the actor and the cause", () =>
  supervised(
    Effect.gen(function* () {
      let runs = 0
      const told = yield* escalated
      yield* start({ name: "a", run: Effect.suspend(() => Effect.die(new Error(`broken ${++runs}`))) })
      yield* TestClock.adjust("1 minute")
      expect(yield* Fiber.join(told)).toEqual({ actor: "a", message: "broken 6" })
      expect(runs).toBe(6)
      expect((yield* status("a"))?.state).toBe("escalated")
      expect(isWell((yield* status("a"))!)).toBe(false)
    })
  )
)

it.effect("an actor's own restart intensity applies", () =>
  supervised(
    Effect.gen(function* () {
      let runs = 0
      const told = yield* escalated
      yield* start({
        name: "a",
        intensity: { restarts: 0, window: Duration.minutes(1) },
        run: Effect.suspend(() => Effect.die(new Error(`broken ${++runs}`)))
      })
      yield* TestClock.adjust("1 second")
      expect((yield* Fiber.join(told)).message).toBe("broken 1")
    })
  )
)

it.effect("a permanent actor restarts when it ends, and escalates when it keeps ending", () =>
  supervised(
    Effect.gen(function* () {
      let runs = 0
      const told = yield* escalated
      yield* start({ name: "a", run: Effect.sync(() => runs++) })
      yield* TestClock.adjust("1 second")
      expect(runs).toBeGreaterThan(1)
      expect((yield* status("a"))?.last_failure?.message).toBe("ended though it is permanent")
      yield* TestClock.adjust("1 minute")
      expect((yield* Fiber.join(told)).actor).toBe("a")
    })
  )
)

it.effect("a transient actor may end regularly, a temporary one in any way", () =>
  supervised(
    Effect.gen(function* () {
      let runs = 0
      yield* start({
        name: "transient",
        policy: "transient",
        run: Effect.suspend(() => (++runs < 3 ? Effect.fail("not yet") : Effect.void))
      })
      yield* start({ name: "temporary", policy: "temporary", run: Effect.fail("once") })
      yield* TestClock.adjust("1 minute")
      expect(runs).toBe(3)
      expect(yield* status("transient")).toMatchObject({ state: "stopped", restarts: 2 })
      expect(yield* status("temporary")).toMatchObject({
        state: "stopped",
        restarts: 0,
        last_failure: { message: "once" }
      })
      expect(isWell((yield* status("transient"))!)).toBe(true)
    })
  )
)

it.effect("an actor that interrupts itself is restarted", () =>
  supervised(
    Effect.gen(function* () {
      let runs = 0
      yield* start({
        name: "a",
        run: Effect.gen(function* () {
          if (++runs > 2) return yield* Effect.never
          const child = yield* Effect.forkChild(Effect.never)
          yield* Fiber.interrupt(child)
          return yield* Fiber.join(child)
        })
      })
      yield* TestClock.adjust("10 seconds")
      expect(runs).toBe(3)
      expect(yield* status("a")).toMatchObject({
        state: "running",
        restarts: 2,
        last_failure: { message: "was interrupted from within" }
      })
    })
  )
)

it.effect("interruption from outside ends an actor without restart or failure", () =>
  supervised(
    Effect.gen(function* () {
      let runs = 0
      const supervisor = yield* Supervisor
      const outer = yield* Effect.forkChild(
        Effect.scoped(
          Effect.andThen(
            supervisor.start({ name: "a", run: Effect.suspend(() => (runs++, Effect.never)) }),
            Effect.never
          )
        )
      )
      yield* TestClock.adjust("1 second")
      expect((yield* status("a"))?.state).toBe("running")
      yield* Fiber.interrupt(outer)
      yield* TestClock.adjust("1 minute")
      expect(runs).toBe(1)
      expect(yield* status("a")).toBeUndefined()
    })
  )
)

it.effect("resources of an actor are closed before its restart", () =>
  supervised(
    Effect.gen(function* () {
      const order: Array<string> = []
      let run = 0
      yield* start({
        name: "a",
        run: Effect.gen(function* () {
          const number = ++run
          yield* Effect.acquireRelease(
            Effect.sync(() => order.push(`open ${number}`)),
            () =>
              Effect.andThen(
                number < 3 ? Effect.sleep("1 second") : Effect.void,
                Effect.sync(() => order.push(`close ${number}`))
              )
          )
          yield* Effect.forkScoped(
            Effect.onInterrupt(Effect.never, () => Effect.sync(() => order.push(`child ${number}`)))
          )
          yield* Effect.sleep(10)
          if (number < 3) return yield* Effect.fail("again")
          return yield* Effect.never
        })
      })
      yield* TestClock.adjust("1 minute")
      expect(order).toEqual(["open 1", "child 1", "close 1", "open 2", "child 2", "close 2", "open 3"])
    })
  )
)

it.effect("a running actor without progress is stalled until it reports progress", () =>
  supervised(
    Effect.gen(function* () {
      const go = yield* Deferred.make<void>()
      yield* start({
        name: "a",
        run: Effect.gen(function* () {
          const actor = yield* Actor
          yield* actor.note("at work")
          yield* Deferred.await(go)
          yield* actor.progress
          return yield* Effect.never
        })
      })
      yield* start({ name: "patient", stallAfter: Duration.minutes(10), run: Effect.never })
      yield* start({ name: "idle", run: idle })
      yield* TestClock.adjust("89 seconds")
      expect((yield* status("a"))?.stalled).toBe(false)
      yield* TestClock.adjust("2 seconds")
      expect(yield* status("a")).toMatchObject({ stalled: true, note: "at work", state: "running" })
      expect(isWell((yield* status("a"))!)).toBe(false)
      expect((yield* status("patient"))?.stalled).toBe(false)
      yield* Deferred.succeed(go, undefined)
      yield* TestClock.adjust("1 second")
      expect((yield* status("a"))?.stalled).toBe(false)
      yield* TestClock.adjust("5 minutes")
      expect((yield* status("idle"))?.stalled).toBe(false)
    })
  )
)

it.effect("a placed actor is elsewhere before and after its placement here", () =>
  quiet(
    Effect.scoped(
      Effect.gen(function* () {
        const places: Array<Effect.Effect<void>> = []
        const supervisor = yield* make("test", (_name, run) => Effect.sync(() => void places.push(run)))
        yield* supervisor.start({ name: "a", placed: true, run: Effect.never })
        const state = Effect.map(supervisor.statuses, (all) => [all[0]!.state, isWell(all[0]!)])
        expect(yield* state).toEqual(["elsewhere", true])
        const here = yield* Effect.forkChild(places[0]!)
        yield* TestClock.adjust("1 second")
        expect(yield* state).toEqual(["running", true])
        yield* TestClock.adjust("5 minutes")
        expect(yield* state).toEqual(["running", false])
        yield* Fiber.interrupt(here)
        expect(yield* state).toEqual(["elsewhere", true])
      })
    )
  )
)

it.effect("two actors with one name are a defect", () =>
  supervised(
    Effect.gen(function* () {
      yield* start({ name: "a", run: Effect.never })
      const exit = yield* Effect.exit(start({ name: "a", run: Effect.never }))
      expect(String(exit)).toContain("already running")
    })
  )
)
