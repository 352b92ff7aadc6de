/** The commands `signalbox localization`. */
import { Command } from "effect/cli"
import { fileCommands } from "./files/Commands.ts"
import { rebuildCommands } from "./rebuilds/Commands.ts"
import { textCommands } from "./texts/Commands.ts"

export const localization = Command.make("localization").pipe(
  Command.withDescription("Languages and texts of user interfaces."),
  Command.withSubcommands([...textCommands, ...rebuildCommands, ...fileCommands])
)
