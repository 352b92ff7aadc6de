/** `signalbox support`: support sessions and their codes. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { limit } from "#core/cli/Limit.ts"
import { json } from "#core/cli/Output.ts"

const operator = () => import("./Operator.ts")

const code = Argument.String("code").pipe(Argument.withDescription("The code that the customer reads out: 1234-5678"))

const list = Command.make(
  "list",
  {
    all: Flag.Boolean("all").pipe(Flag.withDescription("Also sessions that have ended"), Flag.withDefault(false)),
    limit,
    json
  },
  (flags) => lazily(operator, (module) => module.list(flags))
).pipe(Command.withDescription("Lists open support sessions of all tenants, newest first."))

const show = Command.make("show", { code, json }, (flags) => lazily(operator, (module) => module.show(flags))).pipe(
  Command.withDescription("Shows who a code belongs to, and whether it is valid.")
)

const close = Command.make("close", { code, json }, (flags) => lazily(operator, (module) => module.close(flags))).pipe(
  Command.withDescription("Closes a support session; its code is then no longer valid.")
)

export const support = Command.make("support").pipe(
  Command.withDescription(
    "Requests of users for support. A user requests support in the console and reads a code out."
  ),
  Command.withSubcommands([list, show, close])
)
