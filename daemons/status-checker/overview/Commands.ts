/** `signalbox status check` and `signalbox status subscribers`. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { limit } from "#core/cli/Limit.ts"
import { json } from "#core/cli/Output.ts"

const operator = () => import("./Operator.ts")

export const check = Command.make(
  "check",
  {
    now: Flag.Boolean("now").pipe(
      Flag.withDescription("Check all components now, and show the results"),
      Flag.withDefault(false)
    ),
    json
  },
  (flags) => lazily(operator, (module) => module.check(flags))
).pipe(
  Command.withDescription("Shows the results of the last check of each component; with --now of a new one."),
  Command.withExamples([
    { command: "signalbox status check", description: "Why a component has its status" },
    { command: "signalbox status check --now", description: "Whether a repaired component is up again" }
  ])
)

const count = Command.make("count", { json }, (flags) =>
  lazily(operator, (module) => module.countSubscribers(flags))
).pipe(Command.withDescription("Counts confirmed and pending subscribers."))

const list = Command.make(
  "list",
  {
    status: Flag.Literals("status", ["pending", "confirmed"]).pipe(Flag.withDescription("Only these"), Flag.optional),
    limit,
    json
  },
  (flags) => lazily(operator, (module) => module.listSubscribers(flags))
).pipe(
  Command.withDescription("Lists subscribers, newest first."),
  Command.withExamples([
    { command: "signalbox status subscribers list --status confirmed", description: "Subscribers who get mails" }
  ])
)

const remove = Command.make(
  "remove",
  { id: Argument.Int("id").pipe(Argument.withDescription("Id of the subscriber, as in `list`")), json },
  (flags) => lazily(operator, (module) => module.removeSubscriber(flags))
).pipe(Command.withDescription("Deletes a subscriber and all mails to the address. The person may subscribe again."))

export const subscribers = Command.make("subscribers").pipe(
  Command.withDescription("Shows and removes subscribers to mails."),
  Command.withSubcommands([count, list, remove])
)
