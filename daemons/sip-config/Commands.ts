/** `signalbox sip`: routing decisions, extensions, ring groups, trunks, SIP domains and numbers. */
import { Command } from "effect/cli"
import {
  assertDomain,
  assignDid,
  changeDid,
  confirmTrunk,
  createDid,
  deleteDid,
  dids,
  domains,
  extension,
  ringGroup,
  trunks
} from "./directory/Commands.ts"
import { route } from "./routing/Commands.ts"

export const sip = Command.make("sip").pipe(
  Command.withDescription(
    "Extensions, ring groups and numbers; shows telephony decisions, and confirms what tenants claim: networks of " +
      "trunks, SIP domains, numbers."
  ),
  Command.withSubcommands([
    route,
    extension,
    ringGroup,
    dids,
    createDid,
    changeDid,
    assignDid,
    deleteDid,
    trunks,
    confirmTrunk,
    domains,
    assertDomain
  ])
)
