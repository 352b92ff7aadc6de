/**
 * How a command ends: exit statuses, one line for people instead of a stack trace, and a bounded stop. The service
 * manager restarts the process after every failure status except 78.
 *
 * SIGTERM or SIGINT begins an orderly stop. After the deadline, or at a second Ctrl-C, the process exits at once. An
 * immediate exit loses nothing: claimed jobs are claimed again, and an embedded Postgres stops with its parent.
 */
import { Cause, Console, Duration, Effect, Exit, Schema } from "effect"
import { exitConfig } from "../config/Environment.ts"
import { innermost } from "../sql/Sql.ts"

/** Exit statuses of sysexits.h. EX_USAGE: the command line is wrong. EX_SOFTWARE: a defect in the program. */
export const exitUsage = 64
export const exitSoftware = 70
/** Exit status after an interrupt. Source: shell convention, 128 plus the number of the signal (SIGINT is 2). */
const exitInterrupted = 130

/**
 * How long an orderly stop may take. Unit: seconds. Reason: running jobs get 12 s to finish, and systemd kills the
 * process after 30 s (TimeoutStopSec).
 */
export const stopDeadline = Duration.seconds(20)

/**
 * A second signal within this time counts as a copy of the first. Unit: milliseconds. Reason: a terminal signals the
 * whole process group, and npm forwards its own copy.
 */
export const sameSignal = Duration.millis(500)

/** The command has printed its result; the process exits with this status. */
export class Ended extends Schema.TaggedError<Ended>()("Ended", { code: Schema.Int }) {}

/** A failure with a sentence for the operator. `code` is the exit status. */
export class CommandFailed extends Schema.TaggedError<CommandFailed>()("CommandFailed", {
  message: Schema.String,
  code: Schema.Int
}) {}

/** Creates a `CommandFailed` error. Exit status 1 by default. */
export const fail = (message: string, code = 1) => new CommandFailed({ message, code })

let stopIsTheEnd = false

/** Marks this command as running until it is stopped: a stop by signal then exits with status 0. */
export const runsUntilStopped: Effect.Effect<void> = Effect.sync(() => {
  stopIsTheEnd = true
})

/** The lines to print about a failure, and the exit status. Pure. */
export const verdict = (
  cause: Cause.Cause<unknown>
): { readonly code: number; readonly lines: ReadonlyArray<string> } => {
  if (Cause.hasInterruptsOnly(cause)) return { code: exitInterrupted, lines: [] }
  if (Cause.hasDies(cause)) return { code: exitSoftware, lines: [`signalbox: a defect: ${Cause.pretty(cause)}`] }
  const error = Cause.squash(cause) as { readonly _tag?: string; readonly message?: unknown }
  switch (error._tag) {
    case "Ended":
      return { code: (error as Ended).code, lines: [] }
    case "CommandFailed":
      return { code: (error as CommandFailed).code, lines: [said(error)] }
    // The command-line parser has already printed the error and the help text.
    case "ShowHelp":
      return { code: (error as { readonly errors?: ReadonlyArray<unknown> }).errors?.length ? exitUsage : 0, lines: [] }
    case "ConfigInvalid":
      return {
        code: exitConfig,
        lines: configLines((error as { readonly problems?: ReadonlyArray<Problem> }).problems ?? [])
      }
    // Only an operator can fix this; a restart does not help.
    case "DatabaseUnusable":
    case "DataDirectoryGone":
    case "SchemaTooNew":
      return { code: exitConfig, lines: [said(error)] }
    case "EmbeddedPostgresError":
      return {
        code: (error as { readonly isRetryable?: boolean }).isRetryable === false ? exitConfig : 1,
        lines: [said(error)]
      }
    case "SqlError":
      return { code: 1, lines: [`signalbox: the database does not answer, or refuses: ${innermost(error)}`] }
    default:
      return { code: 1, lines: [said(error)] }
  }
}

interface Problem {
  readonly name: string
  readonly message: string
}

const said = (error: { readonly message?: unknown }) => `signalbox: ${String(error.message ?? error)}`

const configLines = (problems: ReadonlyArray<Problem>) => [
  "signalbox: the configuration is wrong:",
  ...problems.map((problem) => `  ${problem.name} ${problem.message}`),
  "Correct them in the environment (under systemd /etc/signalbox/*.env); `signalbox check --list` describes them."
]

/**
 * Prints the failure and exits without an orderly stop. For failures after which a stop could only wait for what is
 * gone.
 */
export const endAtOnce = (error: { readonly message: string }): Effect.Effect<never> =>
  Effect.sync(() => {
    process.stderr.write(`${said(error)}\n`)
    process.exit(exitConfig)
  })

/** Prints a failure on standard error. */
export const report = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.tapCause(effect, (cause) => Effect.forEach(verdict(cause).lines, (line) => Console.error(line)))

/** For `runMain`: exits with the matching status, even when something still keeps the event loop alive. */
export const teardown = <E, A>(exit: Exit.Exit<E, A>): void => {
  if (Exit.isSuccess(exit) || (stopIsTheEnd && Cause.hasInterruptsOnly(exit.cause))) process.exit(0)
  process.exit(verdict(exit.cause).code)
}

/**
 * Bounds the duration of a stop, because runMain sets no deadline and ignores a second signal. Call it once, at start.
 */
export const boundStop = (deadline: Duration.Duration = stopDeadline): Effect.Effect<void> =>
  Effect.sync(() => {
    let firstAt: number | undefined
    const onSignal = (signal: "SIGINT" | "SIGTERM") => {
      const now = performance.now()
      if (firstAt === undefined) {
        firstAt = now
        setTimeout(() => {
          process.stderr.write(`signalbox: not stopped within ${Duration.toSeconds(deadline)} s, exiting immediately\n`)
          process.exit(1)
        }, Duration.toMillis(deadline)).unref()
      } else if (now - firstAt > Duration.toMillis(sameSignal)) {
        process.stderr.write("signalbox: second stop signal, exiting immediately\n")
        process.exit(signal === "SIGINT" ? exitInterrupted : 143)
      }
    }
    process.on("SIGINT", onSignal)
    process.on("SIGTERM", onSignal)
  })
