/** `signalbox status`: shows and manages the status page from this machine. */
import { Command } from "effect/cli"
import { component } from "./components/Commands.ts"
import { incident } from "./incidents/Commands.ts"
import { maintenance } from "./maintenance/Commands.ts"
import { check, subscribers } from "./overview/Commands.ts"
import { show } from "./publication/Commands.ts"

export const status = Command.make("status").pipe(
  Command.withDescription("Shows and manages the status page: components, incidents, maintenance, subscribers."),
  Command.withSubcommands([show, check, component, incident, maintenance, subscribers])
)
