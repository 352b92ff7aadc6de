/**
 * Runs a program of systemd: an argument array without shell, a minimal environment, a time limit and a limit of the
 * output. Ends with its caller.
 */
import { Duration, Effect, type Scope, Stream } from "effect"
import { execFile, spawn } from "node:child_process"
import { sourceError, type SourceError } from "./SourceError.ts"

/** Limit for one answer. Reason: systemd itself waits 25 s for the bus, and a person waits for the page. */
const timeout = Duration.seconds(10)

/** Largest output. Unit: bytes. Reason: 200 units take 100 KiB. */
const maxOutput = 8 * 1024 * 1024

// The environment of this process holds secrets.
const environment = { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C.UTF-8" }

/** Standard output of a program that exits with 0. */
export const output = (program: string, args: ReadonlyArray<string>): Effect.Effect<string, SourceError> =>
  Effect.callback<string, SourceError>((resume) => {
    const child = execFile(
      program,
      args,
      { maxBuffer: maxOutput, killSignal: "SIGKILL", env: environment, cwd: "/" },
      (error, stdout, stderr) => {
        if (error === null) return resume(Effect.succeed(stdout))
        if (error.code === "ENOENT") return resume(Effect.fail(sourceError({ _tag: "Absent", what: program })))
        if (error.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER")
          return resume(Effect.fail(sourceError({ _tag: "TooLong", what: program })))
        const said =
          stderr
            .trim()
            .split("\n")
            .at(-1)
            ?.replace(/\p{Cc}+/gu, " ")
            .slice(0, 200) ?? ""
        resume(Effect.fail(sourceError({ _tag: "Failed", detail: said === "" ? `${program} failed` : said })))
      }
    )
    return Effect.sync(() => void child.kill("SIGKILL"))
  }).pipe(
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () =>
        Effect.fail(sourceError({ _tag: "TimedOut", what: program, milliseconds: Duration.toMillis(timeout) }))
    })
  )

/** Standard output of a program while it runs. The end of the scope kills it. */
export const streamed = (
  program: string,
  args: ReadonlyArray<string>
): Effect.Effect<Stream.Stream<Uint8Array, SourceError>, SourceError, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<ReturnType<typeof started>, SourceError>((resume) => {
        const child = started(program, args)
        child.once("spawn", () => resume(Effect.succeed(child)))
        child.once("error", () => resume(Effect.fail(sourceError({ _tag: "Absent", what: program }))))
      }),
      (child) => Effect.sync(() => void child.kill("SIGKILL"))
    ),
    (child) =>
      Stream.fromAsyncIterable(child.stdout as AsyncIterable<Uint8Array>, () =>
        sourceError({ _tag: "Failed", detail: `${program} broke off` })
      )
  )

const started = (program: string, args: ReadonlyArray<string>) =>
  spawn(program, args, { env: environment, cwd: "/", stdio: ["ignore", "pipe", "ignore"] })
