/** `signalbox sip`: routing decisions, trunks, SIP domains and numbers. */
import { Command } from "effect/cli"
import { assertDomain, assignDid, confirmTrunk, dids, domains, trunks } from "./directory/Commands.ts"
import { route } from "./routing/Commands.ts"

export const sip = Command.make("sip").pipe(
  Command.withDescription(
    "Shows telephony decisions, and confirms what tenants claim: networks of trunks, SIP domains, numbers."
  ),
  Command.withSubcommands([route, trunks, confirmTrunk, domains, assertDomain, dids, assignDid])
)
