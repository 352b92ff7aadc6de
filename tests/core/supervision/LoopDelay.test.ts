import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { forgetStart, measure } from "#core/supervision/LoopDelay.ts"

/** Blocks the event loop. Unit: milliseconds. */
const block = (milliseconds: number) => {
  for (const until = performance.now() + milliseconds; performance.now() < until;);
}

/** Lets the timer of the measurement run. */
const turn = Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 120)))

it.live("the work of a start is not reported as delay", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const delays = yield* measure
      yield* turn
      block(600)
      yield* turn
      yield* forgetStart
      expect(delays().max).toBe(0)
    })
  )
)

it.live("a blocked loop is reported", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const delays = yield* measure
      yield* turn
      block(600)
      yield* turn
      expect(delays().max).toBeGreaterThan(300)
    })
  )
)
