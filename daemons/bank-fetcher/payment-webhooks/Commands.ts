/** `signalbox bank webhook-events`. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { limit } from "#core/cli/Limit.ts"
import { json } from "#core/cli/Output.ts"

const operator = () => import("./Operator.ts")

const list = Command.make(
  "list",
  {
    state: Flag.Literals("state", ["applied", "unknown", "failed"]).pipe(
      Flag.withDescription("Only events in this state"),
      Flag.optional
    ),
    provider: Flag.Literals("provider", ["card", "wallet"]).pipe(
      Flag.withDescription("Only events of this provider"),
      Flag.optional
    ),
    unsigned: Flag.Boolean("unsigned").pipe(
      Flag.withDescription("Only events without a verified signature"),
      Flag.withDefault(false)
    ),
    event: Flag.String("event").pipe(
      Flag.withDescription("Only events whose id at the provider has this text"),
      Flag.optional
    ),
    limit,
    json
  },
  (flags) => lazily(operator, (module) => module.list(flags))
).pipe(Command.withDescription("Lists received events of payment providers, newest first."))

const show = Command.make(
  "show",
  { id: Argument.String("event").pipe(Argument.withDescription("Id in the list")), json },
  (flags) => lazily(operator, (module) => module.show(flags))
).pipe(Command.withDescription("Shows an event with its body."))

export const webhookEvents = Command.make("webhook-events").pipe(
  Command.withDescription("Events that payment providers sent."),
  Command.withSubcommands([list, show])
)
