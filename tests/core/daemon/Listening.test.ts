import { assert, it } from "@effect/vitest"
import { Effect, type Latch, Layer } from "effect"
import * as Daemon from "#core/daemon/Daemon.ts"
import * as Feature from "#core/daemon/Feature.ts"
import { Listening } from "#core/daemon/Listening.ts"
import { startSuite } from "#support/TestSuite.ts"

it.live(
  "features are built before the listeners are open, and are told when they are",
  () =>
    Effect.gen(function* () {
      let latch: Latch.Latch | undefined
      let isOpenAtBuild = true
      const feature = Feature.make({
        layer: Layer.effectDiscard(
          Effect.gen(function* () {
            latch = yield* Listening
            isOpenAtBuild = yield* latch.await.pipe(
              Effect.as(true),
              Effect.timeoutOrElse({ duration: "50 millis", orElse: () => Effect.succeed(false) })
            )
          })
        )
      })
      const waiter = Daemon.make({
        name: "waiter",
        title: "Waiter",
        description: "Waits for the listeners",
        port: 8199,
        features: [feature]
      })
      yield* startSuite({ daemons: [waiter] })
      assert.isFalse(isOpenAtBuild)
      yield* latch!.await
    }),
  120_000
)
