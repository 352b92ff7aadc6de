import { expect, it } from "@effect/vitest"
import { Effect, Fiber, Latch } from "effect"
import { Wake } from "#core/events/Wake.ts"
import { requests } from "#daemons/status-checker/checks/CheckNow.ts"

const unused = () => {
  throw new Error("unused")
}

/** Returns each of `waits` in turn: whether a request arrived. Opens `ended` at the wait after the last. */
const scripted = (waits: ReadonlyArray<boolean>, ended: Latch.Latch) => {
  const rest = [...waits]
  const wait = () =>
    Effect.suspend(() => {
      const next = rest.shift()
      return next === undefined ? Effect.andThen(ended.open, Effect.never) : Effect.succeed(next)
    })
  const subscribe = () => Effect.succeed({ wait, ring: Effect.void })
  return Wake.of({ subscribe, announce: unused, announcement: unused, actor: unused })
}

/** Number of progress reports and of rounds of checks. */
const counted = (waits: ReadonlyArray<boolean>) =>
  Effect.gen(function* () {
    const ended = yield* Latch.make(false)
    const count = { progress: 0, rounds: 0 }
    const loop = requests(
      () => count.rounds++,
      Effect.sync(() => void count.progress++),
      20_000
    )
    const fiber = yield* Effect.forkChild(Effect.provideService(loop, Wake, scripted(waits, ended)))
    yield* ended.await
    yield* Fiber.interrupt(fiber)
    return count
  })

it.live("an operator's request runs a round of checks, and a wait without request runs none", () =>
  Effect.gen(function* () {
    expect(yield* counted([false, false])).toEqual({ progress: 3, rounds: 0 })
    expect(yield* counted([false, true])).toEqual({ progress: 3, rounds: 1 })
  })
)
