/** `signalbox workflow`: lists workflows, and runs that events began. */
import { Argument, Command } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { limit } from "#core/cli/Limit.ts"
import { json } from "#core/cli/Output.ts"

const operator = () => import("./Operator.ts")

const list = Command.make("list", { json }, (flags) => lazily(operator, (module) => module.workflows(flags))).pipe(
  Command.withDescription("Lists the workflows with their runs of the last 24 hours.")
)

const runs = Command.make(
  "runs",
  {
    workflow: Argument.String("workflow").pipe(
      Argument.withDescription("Only runs of this workflow, by its name in `list`"),
      Argument.optional
    ),
    limit,
    json
  },
  (flags) => lazily(operator, (module) => module.runs(flags))
).pipe(Command.withDescription("Lists the newest runs of all workflows. `signalbox alarm show ID` shows one run."))

export const workflow = Command.make("workflow").pipe(
  Command.withDescription("Shows workflows and the runs that events started."),
  Command.withSubcommands([list, runs])
)
