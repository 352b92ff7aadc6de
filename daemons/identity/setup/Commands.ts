/** `signalbox setup`: what a new installation still needs. */
import { Argument, Command } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { json } from "#core/cli/Output.ts"

const operator = () => import("./Operator.ts")

const name = Argument.String("step").pipe(Argument.withDescription("Name of the step, as `signalbox setup` shows it"))

const skip = Command.make("skip", { name, json }, (flags) =>
  lazily(operator, (module) => module.skip(flags.name, true, flags.json))
).pipe(Command.withDescription("Marks a step as not wanted."))

const want = Command.make("want", { name, json }, (flags) =>
  lazily(operator, (module) => module.skip(flags.name, false, flags.json))
).pipe(Command.withDescription("Removes the mark of `skip`."))

export const setup = Command.make("setup", { json }, (flags) => lazily(operator, (module) => module.list(flags))).pipe(
  Command.withDescription("Lists what is not yet set up, why one wants it, and the command that does it."),
  Command.withShortDescription("List what is not yet set up"),
  Command.withSubcommands([skip, want]),
  Command.withExamples([{ command: "signalbox setup", description: "What to do next" }])
)
