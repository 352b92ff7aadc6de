/** Finds processes through /proc; starts and kills processes of a test. */
import { type ChildProcess, spawn } from "node:child_process"
import { readdirSync, readlinkSync } from "node:fs"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { Effect, type Scope } from "effect"
import { pollPause } from "./PollPause.ts"

/**
 * Variable with the folder of the test run's cache of compiled code (vitest.config.ts), for started programs that do
 * not get the whole environment. Empty outside of a test run.
 */
export const compileCache: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(process.env).filter(
    (variable): variable is [string, string] => variable[0] === "NODE_COMPILE_CACHE" && variable[1] !== undefined
  )
)

/**
 * Ids of processes whose working directory is `directory`. For a data directory these are all its Postgres processes.
 */
export const processesIn = (directory: string): ReadonlyArray<number> =>
  readdirSync("/proc")
    .map(Number)
    .filter((pid) => {
      try {
        return pid > 0 && readlinkSync(`/proc/${pid}/cwd`) === directory
      } catch {
        return false
      }
    })

/** Sends a signal. Nothing happens when the process has ended. */
export const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error
  }
}

/** Looks again and again until `look` returns a value. Dies after `seconds`. */
export const eventually = <A>(what: string, look: () => A | undefined | false, seconds = 10): Effect.Effect<A> =>
  Effect.gen(function* () {
    const from = performance.now()
    for (let waited = 0; waited < seconds * 1000; waited = performance.now() - from) {
      const seen = look()
      if (seen !== undefined && seen !== false) return seen
      yield* Effect.sleep(pollPause(waited))
    }
    return yield* Effect.die(new Error(`not within ${seconds} s: ${what}`))
  })

export interface Running {
  readonly child: ChildProcess
  /** The first printed line, parsed as JSON. */
  readonly said: Effect.Effect<{
    readonly pid: number
    readonly owner: boolean
    readonly base?: string
    readonly error?: string
    readonly message?: string
  }>
  readonly kill: (signal: NodeJS.Signals) => Effect.Effect<void>
}

/**
 * Runs a TypeScript file of tests/support as a process. `before` is put in front of the command. The end of the scope
 * sends SIGKILL.
 */
export const runSupport = (
  file: string,
  args: ReadonlyArray<string>,
  before: ReadonlyArray<string> = []
): Effect.Effect<Running, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const [command = "", ...rest] = [
        ...before,
        process.execPath,
        fileURLToPath(new URL(file, import.meta.url)),
        ...args
      ]
      const child = spawn(command, rest, { stdio: ["ignore", "pipe", "inherit"] })
      const gone = once(child, "exit")
      const first = Promise.race([
        once(createInterface(child.stdout), "line") as Promise<[string]>,
        gone.then(([code, signal]) =>
          Promise.reject(new Error(`${file} ended with ${code ?? signal} and said nothing`))
        )
      ])
      // Avoids an unhandled rejection when no test reads `said`.
      first.catch(() => undefined)
      const kill = (signal: NodeJS.Signals) =>
        Effect.promise(async () => {
          if (child.exitCode !== null || child.signalCode !== null) return
          child.kill(signal)
          await gone
        })
      return { child, said: Effect.promise(async () => JSON.parse((await first)[0])), kill }
    }),
    ({ kill }) => kill("SIGKILL")
  )
