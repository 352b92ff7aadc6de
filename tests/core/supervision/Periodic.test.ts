import { assert, it } from "@effect/vitest"
import { Duration, Effect, Fiber, Latch, Tracer } from "effect"
import { TestClock } from "effect/testing"
import { periodic } from "#core/supervision/Periodic.ts"
import { Actor } from "#core/supervision/Supervisor.ts"

it.effect("runs at once and then at each interval, records a note, and is placed", () =>
  Effect.gen(function* () {
    const seen: Array<string> = []
    let rounds = 0
    const actor = Actor.of({
      name: "test",
      progress: Effect.sync(() => void seen.push("progress")),
      note: (text) => Effect.sync(() => void seen.push(text))
    })
    const spec = periodic({
      name: "test",
      every: Duration.minutes(10),
      round: Effect.sync(() => `removed ${++rounds}`)
    })
    assert.deepStrictEqual([spec.placed, Duration.toMinutes(spec.stallAfter!)], [true, 30])
    const fiber = yield* Effect.forkChild(Effect.scoped(Effect.provideService(spec.run, Actor, actor)))
    yield* TestClock.adjust("9 minutes")
    assert.deepStrictEqual(seen, ["progress", "last round removed 1"])
    yield* TestClock.adjust("11 minutes")
    assert.deepStrictEqual(seen.slice(2), ["progress", "last round removed 2", "progress", "last round removed 3"])
    yield* Fiber.interrupt(fiber)
  })
)

it.effect("traces each round", () =>
  Effect.gen(function* () {
    const spans: Array<Tracer.NativeSpan> = []
    const tracer = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        spans.push(span)
        return span
      }
    })
    const spec = periodic({ name: "old rows", every: Duration.minutes(10), round: Effect.succeed("done") })
    const actor = Actor.of({ name: "test", progress: Effect.void, note: () => Effect.void })
    const run = Effect.scoped(Effect.provideService(spec.run, Actor, actor))
    const fiber = yield* Effect.forkChild(Effect.withTracer(run, tracer))
    yield* TestClock.adjust("1 second")
    const seen = spans.map(({ attributes, name }) => [name, attributes.get("sweep")])
    assert.lengthOf(seen, 1)
    assert.match(String(seen[0]![0]), /\.sweep$/)
    assert.strictEqual(seen[0]![1], "old rows")
    yield* Fiber.interrupt(fiber)
  })
)

it.effect("begins a round early when what it depends on changes, also during a round", () =>
  Effect.gen(function* () {
    let wanted = 1
    const done: Array<number> = []
    const changed = Latch.makeUnsafe(false)
    const spec = periodic({
      name: "test",
      every: Duration.minutes(10),
      early: Effect.sync(() => {
        const before = wanted
        return Effect.gen(function* () {
          while (wanted === before) yield* changed.await
        })
      }),
      round: Effect.sync(() => {
        done.push(wanted)
        // Somebody changes it while the first round runs.
        if (done.length === 1) wanted = 2
        return "done"
      })
    })
    const actor = Actor.of({ name: "test", progress: Effect.void, note: () => Effect.void })
    const fiber = yield* Effect.forkChild(Effect.scoped(Effect.provideService(spec.run, Actor, actor)))
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(done, [1, 2])
    wanted = 3
    Latch.openUnsafe(changed)
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(done, [1, 2, 3])
    yield* Fiber.interrupt(fiber)
  })
)
