/** Programs of a backup that end, fail, or are ended. */
import { expect, it } from "@effect/vitest"
import { Duration, Effect, Fiber } from "effect"
import { outputOf, runProgram } from "#daemons/watchdog/backups/engine/Programs.ts"

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

it.live("returns the output, and says why a program failed", () =>
  Effect.gen(function* () {
    expect(yield* outputOf({ program: "printf", args: ["a\\nb"] })).toBe("a\nb")
    const failed = yield* Effect.flip(runProgram({ program: "sh", args: ["-c", "echo no space >&2; exit 3"] }))
    expect(failed.message).toBe("sh ended with 3: no space")
    const missing = yield* Effect.flip(runProgram({ program: "/nonexistent/pg_dump", args: [] }))
    expect(missing.message).toBe("pg_dump is not installed (apt install postgresql-client)")
  })
)

it.live("ends a program that takes too long, and one that is interrupted", () =>
  Effect.gen(function* () {
    const started: Array<number> = []
    const sleep = { program: "sleep", args: ["600"], onStart: (pid: number) => void started.push(pid) }
    const late = yield* Effect.flip(runProgram({ ...sleep, timeout: Duration.millis(300) }))
    expect(late.message).toBe("sleep did not end in time")
    const running = yield* Effect.forkChild(runProgram(sleep), { startImmediately: true })
    yield* Effect.promise(() => expect.poll(() => started.length).toBe(2))
    yield* Fiber.interrupt(running)
    expect(started.map(isAlive)).toEqual([false, false])
  })
)
