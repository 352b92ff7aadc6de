/** Commands of `signalbox sip` about trunks, and about names and numbers that tenants claim. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { json } from "#core/cli/Output.ts"

export { changeDid, createDid, deleteDid, extension, ringGroup } from "./PhoneCommands.ts"

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

export const domains = Command.make(
  "domains",
  {
    pending: Flag.Boolean("pending").pipe(
      Flag.withDescription("Only domains whose ownership is not proven yet"),
      Flag.withDefault(false)
    ),
    json
  },
  (flags) =>
    lazily(
      () => import("./sip-domains/SipDomainOperator.ts"),
      (module) => module.list(flags)
    )
).pipe(Command.withDescription("Lists the SIP domains of all tenants, with the TXT records that prove them."))

export const assertDomain = Command.make(
  "assert-domain",
  { id: Argument.Int("id").pipe(Argument.withDescription("SIP domain ID")), json },
  (flags) =>
    lazily(
      () => import("./sip-domains/SipDomainOperator.ts"),
      (module) => module.assert(flags)
    )
).pipe(
  Command.withDescription(
    "Accepts without proof in DNS that the tenant owns the SIP domain. The switch serves the domain from then on."
  )
)

export const dids = Command.make(
  "dids",
  {
    pending: Flag.Boolean("pending").pipe(
      Flag.withDescription("Only numbers that are not assigned yet"),
      Flag.withDefault(false)
    ),
    json
  },
  (flags) =>
    lazily(
      () => import("./dids/DidOperator.ts"),
      (module) => module.list(flags)
    )
).pipe(Command.withDescription("Lists the DIDs of all tenants."))

export const assignDid = Command.make(
  "assign-did",
  { id: Argument.Int("id").pipe(Argument.withDescription("DID ID")), json },
  (flags) =>
    lazily(
      () => import("./dids/DidOperator.ts"),
      (module) => module.assign(flags)
    )
).pipe(Command.withDescription("Assigns a pending number to its tenant. Calls reach the DID from then on."))
