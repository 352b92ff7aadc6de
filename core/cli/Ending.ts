/**
 * How a command ends: exit statuses, one line for people instead of a stack, and a bounded stop. Under a service
 * manager the status is the message: 78 is not restarted, everything else is.
 *
 * Stopping begins with SIGTERM or SIGINT and ends by itself; after the deadline, or at a second Ctrl-C, the process
 * ends at once. Nothing is lost then: what was claimed goes again, and an embedded Postgres follows its parent.
 */
import { Cause, Console, Duration, Effect, Exit, Schema } from "effect"
import { exitConfig } from "../config/Environment.ts"

/** Source: sysexits.h. EX_USAGE: the command line is wrong; EX_SOFTWARE: a defect of ours. */
export const exitUsage = 64
export const exitSoftware = 70
/** Source: the shell's convention, 128 and the signal's number (SIGINT is 2). */
const exitInterrupted = 130

/**
 * How long an orderly stop may take. Unit: seconds. Reason: TimeoutStopSec of the units is 30; jobs in work drain for
 * 12.
 */
export const stopDeadline = Duration.seconds(20)

/**
 * A second signal within this time is the first one again. Unit: milliseconds. Reason: a terminal signals the whole
 * process group, and npm passes its own copy on to us.
 */
export const sameSignal = Duration.millis(500)

/** The command has said what there is to say; the process is to end with this status. */
export class Ended extends Schema.TaggedError<Ended>()("Ended", { code: Schema.Int }) {}

/** A sentence for the operator; `code` is the exit status. */
export class CommandFailed extends Schema.TaggedError<CommandFailed>()("CommandFailed", {
  message: Schema.String,
  code: Schema.Int
}) {}

/** Fails a command with a sentence. Status 1 unless given. */
export const fail = (message: string, code = 1) => new CommandFailed({ message, code })

let stopIsTheEnd = false

/** Says that this command runs until it is told to stop: being stopped by a signal is then its good end, status 0. */
export const runsUntilStopped: Effect.Effect<void> = Effect.sync(() => {
  stopIsTheEnd = true
})

/** What is said about a failure, and the exit status. Pure. */
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
    // The command line's own reader has printed it, with the help.
    case "ShowHelp":
      return { code: (error as { readonly errors?: ReadonlyArray<unknown> }).errors?.length ? exitUsage : 0, lines: [] }
    case "ConfigInvalid":
      return {
        code: exitConfig,
        lines: configLines((error as { readonly problems?: ReadonlyArray<Problem> }).problems ?? [])
      }
    // An operator has to do something; starting again changes nothing.
    case "DatabaseUnusable":
    case "SchemaTooNew":
      return { code: exitConfig, lines: [said(error)] }
    case "EmbeddedPostgresError":
      return {
        code: (error as { readonly isRetryable?: boolean }).isRetryable === false ? exitConfig : 1,
        lines: [said(error)]
      }
    case "SqlError":
      return { code: 1, lines: [`signalbox: the database does not answer, or refused: ${innermost(error)}`] }
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
  "Correct them in the environment (under systemd /etc/signalbox/*.env); `signalbox check --list` says what each takes."
]

/** The deepest cause has the server's or the system's own words. */
export const innermost = (error: unknown): string => {
  let current = error
  for (let depth = 0; depth < 8; depth++) {
    const next = member(current, "reason") ?? member(current, "cause")
    if (typeof next !== "object" || next === null) break
    current = next
  }
  const text = String(member(current, "message") ?? current)
  return text === "" ? String(member(current, "code") ?? "unknown") : text.split("\n", 1)[0]!
}

const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

/** Says what went wrong, once, on standard error. */
export const report = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.tapCause(effect, (cause) => Effect.forEach(verdict(cause).lines, (line) => Console.error(line)))

/** For `runMain`: ends the process with the status that fits, whatever still holds the event loop. */
export const teardown = <E, A>(exit: Exit.Exit<E, A>): void => {
  if (Exit.isSuccess(exit) || (stopIsTheEnd && Cause.hasInterruptsOnly(exit.cause))) process.exit(0)
  process.exit(verdict(exit.cause).code)
}

/** Bounds the stop: runMain sets no deadline and ignores a second signal. To be called once, at the start. */
export const boundStop = (deadline: Duration.Duration = stopDeadline): Effect.Effect<void> =>
  Effect.sync(() => {
    let firstAt: number | undefined
    const onSignal = (signal: "SIGINT" | "SIGTERM") => {
      const now = performance.now()
      if (firstAt === undefined) {
        firstAt = now
        setTimeout(() => {
          process.stderr.write(`signalbox: not stopped within ${Duration.toSeconds(deadline)} s, ending at once\n`)
          process.exit(1)
        }, Duration.toMillis(deadline)).unref()
      } else if (now - firstAt > Duration.toMillis(sameSignal)) {
        process.stderr.write("signalbox: told to stop again, ending at once\n")
        process.exit(signal === "SIGINT" ? exitInterrupted : 143)
      }
    }
    process.on("SIGINT", onSignal)
    process.on("SIGTERM", onSignal)
  })
