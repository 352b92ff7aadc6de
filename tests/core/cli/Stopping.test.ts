import { runSupport } from "#support/Processes.ts"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { once } from "node:events"

const stuck = (deadline: number) =>
  Effect.gen(function* () {
    const running = yield* runSupport("./StuckStop.ts", [String(deadline)])
    const ended = once(running.child, "exit") as Promise<[number | null, string | null]>
    yield* running.said
    running.child.kill("SIGTERM")
    return { running, ended: Effect.promise(() => ended) }
  })

it.live("a hanging stop ends at its deadline", () =>
  Effect.gen(function* () {
    const { ended } = yield* stuck(300)
    expect(yield* ended).toEqual([1, null])
  }).pipe(Effect.scoped)
)

it.live("a second signal ends the stop at once, but not a duplicate of the first", () =>
  Effect.gen(function* () {
    const { ended, running } = yield* stuck(60_000)
    running.child.kill("SIGINT")
    yield* Effect.sleep(700)
    expect(running.child.exitCode).toBe(null)
    running.child.kill("SIGINT")
    expect(yield* ended).toEqual([130, null])
  }).pipe(Effect.scoped)
)
