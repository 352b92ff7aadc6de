import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Speech } from "#core/speech/Speech.ts"
import { layerLocal, Supervisor } from "#core/supervision/Supervisor.ts"
import { ComponentProbes } from "#daemons/comm-dispatcher/channels/health/ComponentProbes.ts"
import * as PeerHealth from "#daemons/comm-dispatcher/channels/health/PeerHealth.ts"
import { due, recoveryProbe, untouched } from "#daemons/comm-dispatcher/channels/health/RecoveryProbe.ts"

const failed = (at: number): PeerHealth.Seen => ({
  success: { at: 0, ok: true },
  failure: { at, ok: false, reason: "away" }
})
const well: PeerHealth.Seen = { success: { at: 20, ok: true }, failure: { at: 10, ok: false, reason: "away" } }

describe("what is asked again", () => {
  it("is what failed last and, of the messenger, what nobody has tried for longer than its breaker pauses", () => {
    assert.deepStrictEqual(due({ cache: well, messenger: {}, webhook: failed(1) }, 1_000_000), [])
    assert.deepStrictEqual(due({ cache: failed(1_000), messenger: failed(1_000), webhook: {} }, 1_000), ["cache"])
    assert.deepStrictEqual(due({ cache: {}, messenger: failed(1_000), webhook: {} }, 1_000 + untouched.messenger), [
      "messenger"
    ])
  })

  it.effect("is asked ever more rarely while it fails, and not at all once it is well", () =>
    Effect.gen(function* () {
      let up = false
      const asked: Array<number> = []
      let now = 0
      const probes = ComponentProbes.of({
        cache: Effect.sync(
          () => (asked.push(now), { status: up ? "ok" : "degraded", kind: "redis", latency_ms: null })
        ),
        messenger: Effect.never,
        telephony: Effect.never,
        tts: Effect.never
      })
      const ok = Effect.succeed({ status: "ok" } as const)
      const speech = Speech.of({ synthesize: () => Effect.never, status: ok, check: ok, recheck: ok })
      const context = yield* Layer.build(
        Layer.mergeAll(
          Layer.succeed(ComponentProbes, probes),
          Layer.succeed(Speech, speech),
          PeerHealth.layer,
          layerLocal("test")
        )
      )
      const health = Context.get(context, PeerHealth.PeerHealth)
      yield* Context.get(context, Supervisor).start(recoveryProbe).pipe(Effect.provideContext(context))
      const minutes = (count: number) =>
        Effect.forEach(
          Array.from({ length: count * 60 }),
          () =>
            Effect.andThen(
              TestClock.adjust("1 second"),
              Effect.sync(() => (now += 1))
            ),
          { discard: true }
        )
      yield* minutes(5)
      assert.lengthOf(asked, 0)
      yield* health.note("cache", { at: now * 1_000, ok: false, reason: "away" })
      yield* minutes(10)
      assert.isBelow(asked[0]! - 300, 8)
      assert.isAtLeast(asked.length, 15)
      assert.isAtMost(asked.length, 30)
      up = true
      yield* minutes(2)
      const { cache } = yield* health.seen
      assert.isFalse(PeerHealth.isFailing(cache))
      const last = asked.length
      yield* minutes(5)
      assert.lengthOf(asked, last)
    }).pipe(Effect.scoped)
  )
})
