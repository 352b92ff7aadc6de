import { assert, it } from "@effect/vitest"
import { Duration, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import type { SpeechCache } from "#core/speech/SpeechCache.ts"
import { speechError } from "#core/speech/SpeechError.ts"
import type { SpeechGateway } from "#core/speech/SpeechGateway.ts"
import * as Synthesis from "#core/speech/Synthesis.ts"
import { poll } from "#support/peers/Loopback.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"

/** A cache that stores nothing. */
const cache: SpeechCache = {
  get: () => Effect.succeed(undefined),
  through: (name, make) =>
    Effect.map(make, ({ bytes, facts }) => ({ name, path: name, bytes: bytes.length, durationMs: facts.durationMs }))
}

const over = (synthesize: SpeechGateway["synthesize"]) =>
  Synthesis.make({ gateway: { synthesize }, cache, aliases: {}, espeakVoice: "de" })

/** Waits in real time, for work that does not use the test clock (a program, a promise). */
const breathe = Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 20)))

describePeers(["espeak-ng"], "Synthesis in time", () => {
  it.effect("waits once for a busy gateway, without blaming its providers", () =>
    Effect.gen(function* () {
      let asked = 0
      const synthesis = over(() =>
        Effect.andThen(
          Effect.sync(() => void asked++),
          Effect.never
        )
      )
      const say = (text: string) =>
        synthesis.synthesize({ text, provider: "local_gpu", voice: undefined, format: "wav" })
      yield* Effect.forEach(["a", "b", "c", "d"], (text) => Effect.forkChild(say(text), { startImmediately: true }))
      const waiting = yield* Effect.forkChild(say("e"), { startImmediately: true })
      yield* TestClock.adjust(Synthesis.placeWait)
      const spoken = yield* Fiber.join(waiting)
      assert.strictEqual(spoken.engine, "espeak-ng")
      assert.deepStrictEqual(spoken.failed, [{ engine: "local_gpu", why: "the speech gateway was busy for 10000 ms" }])
      assert.strictEqual(asked, Synthesis.gatewayPlaces)
      assert.isUndefined(synthesis.seen.get("local_gpu"))
    })
  )

  it.effect(
    "many texts at a hanging gateway are spoken by espeak-ng within 25 s, and at once while the providers pause",
    () =>
      Effect.gen(function* () {
        const synthesis = over(({ provider }, timeout) =>
          Effect.andThen(
            Effect.sleep(timeout),
            Effect.fail(speechError({ _tag: "TimedOut", what: provider, milliseconds: Duration.toMillis(timeout) }))
          )
        )
        const say = (text: string) =>
          synthesis.synthesize({ text, provider: "local_gpu", voice: undefined, format: "wav" })
        const spoken: Array<string> = []
        // Some requests get a slot just before their timeout.
        for (let second = 0; second < 25 + 20; second++) {
          if (second < 20)
            yield* Effect.forkChild(
              Effect.tap(say(`Alarm ${second}`), ({ engine }) => Effect.sync(() => spoken.push(engine))),
              { startImmediately: true }
            )
          yield* TestClock.adjust(Duration.seconds(1))
          yield* breathe
          // Each request has 25 s from its start. The program runs in real time, not on the test clock.
          const due = Math.min(20, second - 25)
          const inTime = yield* Effect.promise(() => poll(async () => spoken.length >= due || undefined, 5_000))
          assert.isTrue(inTime, `${due} are due after ${second + 1} s, ${spoken.length} are spoken`)
        }
        yield* Effect.promise(() => poll(async () => spoken.length === 20 || undefined, 10_000))
        assert.deepStrictEqual([...new Set(spoken)], ["espeak-ng"])
        const late = yield* Effect.forkChild(say("spät"), { startImmediately: true })
        yield* Effect.promise(() => poll(async () => late.pollUnsafe(), 10_000))
        assert.deepStrictEqual((yield* Fiber.join(late)).failed.map(({ why }) => why.split(":")[0]).slice(0, 2), [
          "left alone since it failed",
          "left alone since it failed"
        ])
      }),
    // The program speaks twenty texts, one after another.
    120_000
  )

  it.effect("all providers together have 25 s; a provider with less than its own time is not blamed", () =>
    Effect.gen(function* () {
      const given: Array<readonly [string, number]> = []
      const synthesis = over(({ provider }, timeout) => {
        given.push([provider, Duration.toMillis(timeout)])
        const late = speechError({ _tag: "TimedOut", what: provider, milliseconds: Duration.toMillis(timeout) })
        return Effect.andThen(Effect.sleep(timeout), Effect.fail(late))
      })
      const fiber = yield* Effect.forkChild(
        synthesis.synthesize({ text: "Alarm", provider: "cloud", voice: undefined, format: "wav" }),
        { startImmediately: true }
      )
      for (let second = 0; second < 25; second++) {
        yield* TestClock.adjust(Duration.seconds(1))
        yield* breathe
      }
      const spoken = yield* Fiber.join(fiber)
      assert.deepStrictEqual(given, [
        ["cloud", 12_000],
        ["local_gpu", 13_000]
      ])
      assert.strictEqual(spoken.engine, "espeak-ng")
      assert.deepStrictEqual(
        spoken.failed.map(({ engine }) => engine),
        ["cloud", "local_gpu", "local_fast"]
      )
      assert.isDefined(synthesis.seen.get("cloud")?.why)
      assert.isUndefined(synthesis.seen.get("local_gpu"))
    })
  )
})
