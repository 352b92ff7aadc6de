/** `signalbox webhook-secret`: the secrets that sign a tenant's webhooks. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { json } from "#core/cli/Output.ts"

const operator = () => import("./Operator.ts")

const tenant = Flag.Int("tenant").pipe(
  Flag.withDescription("Id of the tenant; default: 1, the provider"),
  Flag.withDefault(1)
)

const list = Command.make("list", { tenant, json }, (flags) => lazily(operator, (module) => module.list(flags))).pipe(
  Command.withDescription("Lists the secrets that sign now, without their values.")
)

const rotate = Command.make(
  "rotate",
  {
    tenant,
    overlap: Flag.Int("overlap").pipe(
      Flag.withDescription("Hours for which the replaced secret still signs, 0 to 168; default: 24"),
      Flag.withDefault(24)
    ),
    json
  },
  (flags) => lazily(operator, (module) => module.rotate(flags))
).pipe(
  Command.withDescription(
    "Creates a new secret. It is printed only this once; receivers need it to verify signatures."
  ),
  Command.withExamples([
    { command: "signalbox webhook-secret rotate --tenant 7", description: "The old secret signs for a day more" },
    { command: "signalbox webhook-secret rotate --overlap 0", description: "The old secret was revealed" }
  ])
)

const remove = Command.make(
  "delete",
  { id: Argument.Int("id").pipe(Argument.withDescription("Id of the secret, as `list` shows it")), json },
  (flags) => lazily(operator, (module) => module.remove(flags))
).pipe(Command.withDescription("Deletes a secret. Without any secret the tenant's webhooks are not signed."))

export const webhookSecret = Command.make("webhook-secret").pipe(
  Command.withDescription("Secrets that sign webhooks. Each tenant has its own."),
  Command.withSubcommands([list, rotate, remove])
)
