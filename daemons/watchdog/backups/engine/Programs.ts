/**
 * Runs a program of a backup: argument array without shell, minimal environment, standard output by lines. The program
 * dies with this process (setpriv), so no restic or pg_dump of a killed process goes on. An interruption ends it.
 */
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import type { Duration } from "effect"
import { Effect, Schema } from "effect"

/** A program that did not start or did not exit with 0. `words`: last lines of its error output, without secrets. */
export class ProgramFailed extends Schema.TaggedError<ProgramFailed>()("ProgramFailed", {
  program: Schema.String,
  reason: Schema.Literals(["NotInstalled", "Exited", "TimedOut"]),
  code: Schema.NullOr(Schema.Int),
  words: Schema.String
}) {
  override get message() {
    if (this.reason === "NotInstalled")
      return `${this.program} is not installed (apt install ${packageOf(this.program)})`
    if (this.reason === "TimedOut") return `${this.program} did not end in time`
    return `${this.program} ended with ${this.code ?? "a signal"}${this.words === "" ? "" : `: ${this.words}`}`
  }
}

const packageOf = (program: string) => (program.startsWith("pg_") ? "postgresql-client" : program)

export interface ProgramRun {
  readonly program: string
  readonly args: ReadonlyArray<string>
  /** Added to PATH, HOME and LC_ALL; nothing else is inherited, because the environment holds secrets. */
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly timeout?: Duration.Duration
  /** Called for each line of the standard output. */
  readonly onLine?: (line: string) => void
  /** Called for each line of the error output. Default: kept for the failure. */
  readonly onErrorLine?: (line: string) => void
  /** Texts that failures must not contain. */
  readonly secrets?: ReadonlyArray<string>
  /** Exit codes that are no failure. Default: 0. */
  readonly accepted?: ReadonlyArray<number>
  readonly onStart?: (pid: number) => void
}

/** Kept length of the error output. Unit: characters. Reason: the last lines name the fault. */
const maxWords = 600

/** Time between SIGTERM and SIGKILL. Unit: milliseconds. Reason: restic removes its lock on SIGTERM. */
const killAfter = 5_000

/** Runs the program. Returns its exit code. */
export const runProgram = (run: ProgramRun): Effect.Effect<number, ProgramFailed> => {
  const started = Effect.callback<number, ProgramFailed>((resume) => {
    const fail = (reason: ProgramFailed["reason"], code: number | null, words: string) =>
      resume(
        Effect.fail(
          new ProgramFailed({ program: nameOf(run.program), reason, code, words: hidden(words, run.secrets) })
        )
      )
    const child = spawn("setpriv", ["--pdeathsig", "KILL", "--", run.program, ...run.args], {
      env: {
        PATH: process.env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin",
        HOME: process.env["HOME"] ?? "/nonexistent",
        LC_ALL: "C.UTF-8",
        ...run.env
      },
      cwd: run.cwd ?? "/",
      stdio: ["ignore", "pipe", "pipe"]
    })
    let words = ""
    createInterface({ input: child.stdout }).on("line", (line) => run.onLine?.(line))
    createInterface({ input: child.stderr }).on("line", (line) => {
      run.onErrorLine?.(line)
      words = `${words}\n${line}`.slice(-maxWords)
    })
    child.once("spawn", () => child.pid !== undefined && run.onStart?.(child.pid))
    child.once("error", (error) => fail("Exited", null, error.message))
    child.once("close", (code) => {
      if (code !== null && (run.accepted ?? [0]).includes(code)) return resume(Effect.succeed(code))
      // Exit status of setpriv for a program that does not exist. Source: setpriv(1).
      if (code === 127) return fail("NotInstalled", code, "")
      fail("Exited", code, words.trim().split("\n").slice(-3).join(" | "))
    })
    return Effect.callback<void>((done) => {
      if (child.exitCode !== null || child.signalCode !== null) return done(Effect.void)
      const hard = setTimeout(() => void child.kill("SIGKILL"), killAfter)
      child.once("close", () => {
        clearTimeout(hard)
        done(Effect.void)
      })
      child.kill("SIGTERM")
    })
  })
  return run.timeout === undefined
    ? started
    : Effect.timeoutOrElse(started, {
        duration: run.timeout,
        orElse: () =>
          Effect.fail(new ProgramFailed({ program: nameOf(run.program), reason: "TimedOut", code: null, words: "" }))
      })
}

/** Runs the program and returns its standard output. */
export const outputOf = (run: ProgramRun): Effect.Effect<string, ProgramFailed> =>
  Effect.suspend(() => {
    const lines: Array<string> = []
    return Effect.map(runProgram({ ...run, onLine: (line) => lines.push(line) }), () => lines.join("\n"))
  })

const nameOf = (program: string) => program.slice(program.lastIndexOf("/") + 1)

/** Replaces the secrets, and the credentials of any URL. Pure. */
export const hidden = (words: string, secrets: ReadonlyArray<string> = []): string =>
  secrets
    .filter((secret) => secret !== "")
    .toSorted((a, b) => b.length - a.length)
    .reduce((text, secret) => text.replaceAll(secret, "…"), words)
    .replace(/\/\/[^/@\s]+@/g, "//…@")
