import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { forgetStart, measure } from "#core/supervision/LoopDelay.ts"

/** Blocks the event loop. Unit: milliseconds. */
const block = (milliseconds: number) => {
  for (const until = performance.now() + milliseconds; performance.now() < until;);
}

/** Lets the timer of the measurement run. Unit: milliseconds. */
const turn = (milliseconds = 120) => Effect.promise(() => new Promise((resolve) => setTimeout(resolve, milliseconds)))

/** Longer than the shortest window, so that the next reading is a new one. Unit: milliseconds. */
const window = 1_100

/** Work of a start; far above the delays of a loaded machine. Unit: milliseconds. */
const startWork = 1_500

it.live("the work of a start is not reported as delay", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const delays = yield* measure
      yield* turn()
      block(startWork)
      yield* turn()
      yield* forgetStart
      expect(delays().max).toBe(0)
      yield* turn(window)
      // Less than the work, with a margin for the timer of the measurement.
      expect(delays().max).toBeLessThan(startWork - 200)
    })
  )
)

it.live("a blocked loop is reported", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const delays = yield* measure
      yield* turn()
      block(600)
      yield* turn()
      expect(delays().max).toBeGreaterThan(300)
    })
  )
)
