/** `signalbox provisioning`: links that set up devices, and the devices. */
import { Command } from "effect/cli"
import { deviceCommands } from "./devices/Commands.ts"
import { tokenCommands } from "./tokens/Commands.ts"

export const provisioning = Command.make("provisioning").pipe(
  Command.withDescription("Links that set up devices, and the devices that are set up."),
  Command.withSubcommands([...tokenCommands, ...deviceCommands])
)
