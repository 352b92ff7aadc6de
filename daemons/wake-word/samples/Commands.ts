/** Commands of recordings. */
import { Argument, Command } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { limit } from "#core/cli/Limit.ts"
import { json } from "#core/cli/Output.ts"
import { tenant } from "../OperatorFlags.ts"

const operator = () => import("./Operator.ts")

const samples = Command.make("samples", { tenant, limit, json }, (flags) =>
  lazily(operator, (module) => module.list(flags))
).pipe(Command.withDescription("Lists the words that a tenant has recordings of."))

const deleteSamples = Command.make(
  "delete-samples",
  { word: Argument.String("word").pipe(Argument.withDescription("Word of the recordings")), tenant, json },
  (flags) => lazily(operator, (module) => module.remove(flags))
).pipe(Command.withDescription("Deletes all recordings of a word, and what trainings derived from them."))

export const sampleCommands = [samples, deleteSamples] as const
