/** Commands of `signalbox sip` about trunks. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { json } from "#core/cli/Output.ts"

export const trunks = Command.make(
  "trunks",
  {
    pending: Flag.Boolean("pending").pipe(
      Flag.withDescription("Only trunks with networks that are not confirmed"),
      Flag.withDefault(false)
    ),
    json
  },
  (flags) =>
    lazily(
      () => import("./trunks/TrunkOperator.ts"),
      (module) => module.list(flags)
    )
).pipe(Command.withDescription("Lists the trunks of all tenants with the networks that their calls come from."))

export const confirmTrunk = Command.make(
  "confirm-trunk",
  { id: Argument.Int("id").pipe(Argument.withDescription("Trunk ID")), json },
  (flags) =>
    lazily(
      () => import("./trunks/TrunkOperator.ts"),
      (module) => module.confirm(flags)
    )
).pipe(
  Command.withDescription(
    "Confirms the networks that a tenant requested for a trunk. Check them with the trunk's provider first: the " +
      "switch accepts calls from them without a password."
  )
)
