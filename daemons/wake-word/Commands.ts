/** The commands `signalbox wakeword`. */
import { Command } from "effect/cli"
import { modelCommands } from "./models/Commands.ts"
import { sampleCommands } from "./samples/Commands.ts"
import { trainingCommands } from "./training/Commands.ts"

export const wakeword = Command.make("wakeword").pipe(
  Command.withDescription("Wake words: models, recordings and trainings."),
  Command.withSubcommands([...modelCommands, ...trainingCommands, ...sampleCommands])
)
