/**
 * Runs a child process of the server. It starts in its own session, so Ctrl-C in a terminal does not reach it; the
 * server stops after the suite has drained. The process always ends with the scope.
 */
import { spawn } from "node:child_process"
import { closeSync, openSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { Deferred, Duration, Effect, type Scope } from "effect"
import { type EmbeddedPostgresError, failure, fileSystemFailure } from "./EmbeddedPostgresError.ts"

/** How a child process ended: exactly one of the two fields is not null. */
export interface ExitInfo {
  readonly code: number | null
  readonly signal: string | null
}

export interface ServerProcess {
  readonly pid: number
  readonly exited: Effect.Effect<ExitInfo>
}

/**
 * Stop signals in order, and how long each may take. Source: Postgres manual, "Shutting Down the Server": fast, then
 * immediate; SIGKILL last.
 */
export const stopSteps: ReadonlyArray<{
  readonly signal: "SIGINT" | "SIGQUIT" | "SIGKILL"
  readonly wait: Duration.Duration
}> = [
  { signal: "SIGINT", wait: Duration.seconds(8) },
  { signal: "SIGQUIT", wait: Duration.seconds(2) },
  { signal: "SIGKILL", wait: Duration.seconds(1) }
]

/**
 * Maximum size of the log; a larger file is cut to its end. Unit: bytes. Reason: a diagnosis needs the end, and disk
 * use must be bounded.
 */
export const logLimit = 4 * 1024 * 1024

/** Number of log lines quoted in an error. */
const tailLines = 15

/**
 * Starts `words` with output appended to `log`. When the scope closes, sends the signals of `steps` until the child has
 * exited.
 */
export const run = (options: {
  readonly words: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
  readonly log: string
  readonly steps: typeof stopSteps
}): Effect.Effect<ServerProcess, EmbeddedPostgresError, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(spawnChild(options), ({ exited, pid }) =>
      Effect.gen(function* () {
        for (const { signal, wait } of options.steps) {
          if (yield* Deferred.isDone(exited)) return
          sendSignal(pid, signal)
          yield* Effect.timeoutOption(Deferred.await(exited), wait)
        }
      })
    ),
    ({ exited, pid }) => ({ pid, exited: Deferred.await(exited) })
  )

const spawnChild = (options: {
  readonly words: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
  readonly log: string
}) =>
  Effect.callback<{ readonly pid: number; readonly exited: Deferred.Deferred<ExitInfo> }, EmbeddedPostgresError>(
    (resume) => {
      const [command = "", ...rest] = options.words
      let output: number
      try {
        output = openSync(options.log, "a", 0o640)
      } catch (cause) {
        return resume(Effect.fail(fileSystemFailure("opening the server's log")(cause)))
      }
      const child = spawn(command, rest, {
        env: options.env,
        cwd: "/",
        detached: true,
        stdio: ["ignore", output, output]
      })
      closeSync(output)
      const exited = Deferred.makeUnsafe<ExitInfo>()
      child.once("error", (cause) =>
        resume(
          Effect.fail(
            failure("BinariesUnusable", `${command} does not start: ${cause.message}`, "It is in Debian's util-linux.")
          )
        )
      )
      child.once("exit", (code, signal) => Deferred.doneUnsafe(exited, Effect.succeed({ code, signal })))
      child.once("spawn", () => resume(Effect.succeed({ pid: child.pid ?? 0, exited })))
    }
  )

const sendSignal = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal)
  } catch {
    // The process exited between the check and the signal.
  }
}

/** Last lines of a log; empty when the file does not exist. `from`: byte offset to start at. */
export const logTail = (log: string, from = 0): string => {
  try {
    return readFileSync(log).subarray(from).toString("utf8").trim().split("\n").slice(-tailLines).join("\n")
  } catch {
    return ""
  }
}

/** Size of a log in bytes; 0 when the file does not exist. */
export const logSize = (log: string): number => statSync(log, { throwIfNoEntry: false })?.size ?? 0

/** Cuts a log over the limit to its last quarter. The server may keep writing, because it appends. */
export const boundLog = (log: string): void => {
  if (logSize(log) <= logLimit) return
  const kept = readFileSync(log).subarray(-logLimit / 4)
  truncateSync(log, 0)
  writeFileSync(log, kept, { flag: "a" })
}
