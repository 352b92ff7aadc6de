/** Commands of `signalbox provisioning` about links. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { limit } from "#core/cli/Limit.ts"
import { json } from "#core/cli/Output.ts"
import { tokenStates } from "./TokenState.ts"

const operator = () => import("./TokenOperator.ts")

const link = Command.make(
  "link",
  {
    user: Argument.String("user").pipe(Argument.withDescription("Number or e-mail address of the user")),
    label: Flag.String("label").pipe(
      Flag.withDescription("Name that the device gets; default: the name that the device gives"),
      Flag.optional
    ),
    qr: Flag.Boolean("qr").pipe(Flag.withDescription("Also print a QR code"), Flag.withDefault(false)),
    json
  },
  (flags) => lazily(operator, (module) => module.link(flags))
).pipe(
  Command.withDescription("Creates a link that sets up one device of the user. It is shown only now."),
  Command.withExamples([
    { command: "signalbox provisioning link anna@example.org --qr", description: "For a telephone beside the screen" }
  ])
)

const links = Command.make(
  "links",
  {
    user: Flag.String("user").pipe(
      Flag.withDescription("Only links of this user, by number or e-mail address"),
      Flag.optional
    ),
    state: Flag.Literals("state", tokenStates).pipe(Flag.withDescription("Only links in this state"), Flag.optional),
    limit,
    json
  },
  (flags) => lazily(operator, (module) => module.links(flags))
).pipe(Command.withDescription("Lists the links of all tenants, newest first, without their secrets."))

const revokeLink = Command.make(
  "revoke-link",
  { id: Argument.Int("id").pipe(Argument.withDescription("Number of the link")), json },
  (flags) => lazily(operator, (module) => module.revoke(flags))
).pipe(Command.withDescription("Revokes an unused link. A device that it has set up stays."))

export const tokenCommands = [link, links, revokeLink] as const
