import { until } from "#support/Frame.ts"
import { runSupport } from "#support/Processes.ts"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { once } from "node:events"

/** A program whose stop never ends, after these signals. It gets all of them at once, however late this process is. */
const stuck = (deadline: number, ...signals: ReadonlyArray<NodeJS.Signals>) =>
  Effect.gen(function* () {
    const running = yield* runSupport("./StuckStop.ts", [String(deadline)])
    const ended = once(running.child, "exit") as Promise<[number | null, string | null]>
    yield* running.said
    for (const name of ["SIGSTOP", ...signals, "SIGCONT"] as const) running.child.kill(name)
    return { running, ended: Effect.promise(() => ended) }
  })

it.live("a hanging stop ends at its deadline", () =>
  Effect.gen(function* () {
    const { ended } = yield* stuck(300, "SIGTERM")
    expect(yield* ended).toEqual([1, null])
  }).pipe(Effect.scoped)
)

it.live("a second signal ends the stop at once, but not a duplicate of the first", () =>
  Effect.gen(function* () {
    const { ended, running } = yield* stuck(60_000, "SIGTERM", "SIGINT")
    yield* Effect.sleep(700)
    expect(running.child.exitCode).toBe(null)
    // A program that is late takes a first one for a duplicate as well.
    yield* until(
      "a signal ends it",
      Effect.sync(() => {
        running.child.kill("SIGINT")
        return running.child.exitCode !== null
      })
    )
    expect(yield* ended).toEqual([130, null])
  }).pipe(Effect.scoped)
)
