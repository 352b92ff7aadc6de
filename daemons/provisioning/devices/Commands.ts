/** Commands of `signalbox provisioning` about devices. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { json } from "#core/cli/Output.ts"

const operator = () => import("./DeviceOperator.ts")

const devices = Command.make(
  "devices",
  {
    user: Flag.String("user").pipe(
      Flag.withDescription("Only devices of this user, by number or e-mail address"),
      Flag.optional
    ),
    revoked: Flag.Boolean("revoked").pipe(Flag.withDescription("Also revoked devices"), Flag.withDefault(false)),
    json
  },
  (flags) => lazily(operator, (module) => module.list(flags))
).pipe(Command.withDescription("Lists the devices of all tenants that links have set up, newest first."))

const revoke = Command.make(
  "revoke",
  { id: Argument.String("id").pipe(Argument.withDescription("Id of the device")), json },
  (flags) => lazily(operator, (module) => module.revoke(flags))
).pipe(
  Command.withDescription(
    "Ends the device's login and app password, and gives its extension a new password. Names the other devices that " +
      "this affects."
  )
)

export const deviceCommands = [devices, revoke] as const
