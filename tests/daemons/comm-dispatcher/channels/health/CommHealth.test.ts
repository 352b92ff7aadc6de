import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { BotApi } from "#protocols/bot-api/BotApi.ts"
import { EventSocketError } from "#protocols/event-socket/EventSocketError.ts"
import { CacheUnavailable } from "#core/cache/Cache.ts"
import * as CommHealth from "#daemons/comm-dispatcher/channels/health/CommHealth.ts"
import {
  cacheProbe,
  ComponentProbes,
  messengerProbe,
  type Probes,
  telephonyProbe,
  ttsProbe
} from "#daemons/comm-dispatcher/channels/health/ComponentProbes.ts"

const well: Probes = {
  cache: Effect.succeed({ status: "ok", kind: "postgres", latency_ms: 0.5 }),
  tts: Effect.succeed({ status: "ok", provider: "local_gpu" }),
  telephony: Effect.succeed({ status: "ok" }),
  messenger: Effect.succeed({ status: "ok", bot: "double_bot" })
}

/** A health report over these probes, and the number of calls of each probe. */
const over = (probes: Partial<Probes>) =>
  Effect.gen(function* () {
    const asked = { cache: 0, tts: 0, telephony: 0, messenger: 0 }
    const counted = Object.fromEntries(
      Object.entries({ ...well, ...probes }).map(([name, probe]) => [
        name,
        Effect.suspend(() => {
          asked[name as keyof Probes]++
          return probe as Effect.Effect<never>
        })
      ])
    ) as unknown as Probes
    const context = yield* Layer.build(CommHealth.layer.pipe(Layer.provide(Layer.succeed(ComponentProbes, counted))))
    const { report } = yield* Effect.provideContext(CommHealth.CommHealth.pipe(Effect.map((health) => health)), context)
    return { report, asked }
  })

describe("the health of the channels", () => {
  it.effect("says of each part what its probe found", () =>
    Effect.gen(function* () {
      const { report } = yield* over({})
      assert.deepStrictEqual(yield* report, {
        status: "ok",
        components: {
          cache: { status: "ok", kind: "postgres", latency_ms: 0.5 },
          tts: { status: "ok", provider: "local_gpu" },
          telephony: { status: "ok" },
          messenger: { status: "ok", bot: "double_bot" }
        }
      })
    })
  )

  it.effect("is degraded by any part that is, and by none that is not configured", () =>
    Effect.gen(function* () {
      const absent = { status: "unconfigured" as const }
      const none = yield* over({
        tts: Effect.succeed({ ...absent, provider: null }),
        telephony: Effect.succeed(absent),
        messenger: Effect.succeed(absent)
      })
      assert.strictEqual((yield* none.report).status, "ok")
      const parts: ReadonlyArray<Partial<Probes>> = [
        { cache: Effect.succeed({ status: "degraded", kind: "redis", latency_ms: null }) },
        { tts: Effect.succeed({ status: "degraded", provider: null }) },
        { telephony: Effect.succeed({ status: "degraded" }) },
        { messenger: Effect.succeed({ status: "degraded" }) }
      ]
      for (const part of parts)
        assert.strictEqual((yield* (yield* over(part)).report).status, "degraded", Object.keys(part)[0])
    })
  )

  it.effect("waits 3 seconds for all of them together, and says who did not answer", () =>
    Effect.gen(function* () {
      const { report } = yield* over({
        tts: Effect.never,
        telephony: Effect.never,
        cache: Effect.never,
        messenger: Effect.never
      })
      const asking = yield* Effect.forkChild(report)
      yield* TestClock.adjust("3 seconds")
      const { components, status } = yield* Fiber.join(asking)
      assert.strictEqual(status, "degraded")
      for (const [name, part] of Object.entries(components))
        assert.deepInclude(part, { status: "degraded", detail: "no answer within 3 s" }, name)
    })
  )

  it.effect("asks once for all who ask within 5 seconds", () =>
    Effect.gen(function* () {
      const { asked, report } = yield* over({ messenger: Effect.delay(well.messenger, "1 second") })
      const first = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 50 }, () => report),
          { concurrency: "unbounded" }
        )
      )
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(first)
      yield* TestClock.adjust("3900 millis")
      yield* report
      assert.deepStrictEqual(asked, { cache: 1, tts: 1, telephony: 1, messenger: 1 })
      yield* TestClock.adjust("100 millis")
      const later = yield* Effect.forkChild(report)
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(later)
      assert.deepStrictEqual(asked, { cache: 2, tts: 2, telephony: 2, messenger: 2 })
    })
  )

  it.effect("answers the others when the first who asked has gone", () =>
    Effect.gen(function* () {
      const { asked, report } = yield* over({ telephony: Effect.delay(well.telephony, "1 second") })
      const first = yield* Effect.forkChild(report, { startImmediately: true })
      const second = yield* Effect.forkChild(report, { startImmediately: true })
      yield* Fiber.interrupt(first)
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Fiber.join(second)).status, "ok")
      assert.strictEqual(asked.telephony, 1)
    })
  )
})

describe("the probes", () => {
  const answers = (text: string) => ({ api: () => Effect.succeed(text) }) as any
  const fails = (reason: EventSocketError["reason"]) =>
    ({ api: () => Effect.fail(new EventSocketError({ command: "api status", reason })) }) as any

  it.effect("read the switch's own words", () =>
    Effect.gen(function* () {
      // Status text of a real switch.
      const up =
        "UP 0 years, 0 days, 0 hours, 5 minutes, 53 seconds, 381 milliseconds, 307 microseconds\nFreeSWITCH (Version 1.11.3-dev  64bit) is ready"
      assert.deepStrictEqual(yield* telephonyProbe(answers(up)), { status: "ok" })
      assert.strictEqual((yield* telephonyProbe(answers("something else"))).status, "degraded")
      assert.deepStrictEqual(yield* telephonyProbe(fails({ _tag: "NotConnected", why: "ECONNREFUSED" })), {
        status: "degraded",
        detail: "api status: the switch is not connected (ECONNREFUSED)"
      })
    })
  )

  it.effect("say that the cache does not answer", () =>
    Effect.gen(function* () {
      const cache = (latency: Effect.Effect<number, CacheUnavailable>) => cacheProbe({ kind: "redis", latency } as any)
      assert.deepStrictEqual(yield* cache(Effect.succeed(1.5)), { status: "ok", kind: "redis", latency_ms: 1.5 })
      assert.deepStrictEqual(yield* cache(Effect.fail(new CacheUnavailable({ detail: "ECONNREFUSED" }))), {
        status: "degraded",
        kind: "redis",
        latency_ms: null,
        detail: "the cache does not answer: ECONNREFUSED"
      })
    })
  )

  it.effect("say who would speak", () =>
    Effect.gen(function* () {
      const speech = (status: object) => ttsProbe({ check: Effect.succeed(status) } as any)
      assert.deepStrictEqual(yield* speech({ status: "ok", provider: "local_gpu" }), {
        status: "ok",
        provider: "local_gpu"
      })
      assert.deepStrictEqual(yield* speech({ status: "unconfigured", provider: "local_fast" }), {
        status: "unconfigured",
        provider: "local_fast"
      })
      assert.deepStrictEqual(yield* speech({ status: "degraded", detail: "no" }), {
        status: "degraded",
        provider: null,
        detail: "no"
      })
    })
  )

  it.effect("say whose the bot's token is", () =>
    Effect.gen(function* () {
      const bot = BotApi.of({
        getMe: Effect.succeed({ id: 1, is_bot: true, first_name: "B", username: "b_bot" })
      } as any)
      assert.deepStrictEqual(yield* messengerProbe(bot), { status: "ok", bot: "b_bot" })
    })
  )
})
