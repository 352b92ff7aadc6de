/** `signalbox sip`: routing decisions and trunks. */
import { Command } from "effect/cli"
import { confirmTrunk, trunks } from "./directory/Commands.ts"
import { route } from "./routing/Commands.ts"

export const sip = Command.make("sip").pipe(
  Command.withDescription("Shows telephony decisions, and confirms the networks of trunks."),
  Command.withSubcommands([route, trunks, confirmTrunk])
)
