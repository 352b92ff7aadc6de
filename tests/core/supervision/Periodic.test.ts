import { assert, it } from "@effect/vitest"
import { Duration, Effect, Fiber } from "effect"
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
