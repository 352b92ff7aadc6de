/** Commands of automatic translations. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { limit } from "#core/cli/Limit.ts"
import { json } from "#core/cli/Output.ts"

const operator = () => import("./Operator.ts")

const rebuild = Command.make(
  "rebuild",
  {
    locale: Flag.String("language").pipe(Flag.withDescription("Only this language; default: all"), Flag.optional),
    noWait: Flag.Boolean("no-wait").pipe(
      Flag.withDescription("Do not wait for the end; without it the progress is shown, and exit code 1 is a failure"),
      Flag.withDefault(false)
    ),
    json
  },
  (flags) => lazily(operator, (module) => module.rebuild(flags))
).pipe(
  Command.withDescription("Translates stale texts. The running daemon does the work; texts that people wrote stay.")
)

const rebuilds = Command.make("rebuilds", { limit, json }, (flags) =>
  lazily(operator, (module) => module.list(flags))
).pipe(Command.withDescription("Lists the rebuilds, newest first."))

const cancel = Command.make(
  "cancel",
  { id: Argument.String("id").pipe(Argument.withDescription("Id of the rebuild")), json },
  (flags) => lazily(operator, (module) => module.cancel(flags))
).pipe(Command.withDescription("Cancels a rebuild that waits or runs."))

export const rebuildCommands = [rebuild, rebuilds, cancel] as const
