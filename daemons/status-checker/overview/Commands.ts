/** `signalbox status check` and `signalbox status subscribers`. */
import { Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { json } from "#core/cli/Output.ts"
import { limit } from "../status/LimitFlag.ts"

const operator = () => import("./Operator.ts")

export const check = Command.make("check", { json }, (flags) => lazily(operator, (module) => module.check(flags))).pipe(
  Command.withDescription("Shows what the last check of each component found, in detail. Asks nobody."),
  Command.withExamples([{ command: "signalbox status check", description: "Why a component is shown as it is" }])
)

const count = Command.make("count", { json }, (flags) =>
  lazily(operator, (module) => module.countSubscribers(flags))
).pipe(Command.withDescription("How many subscribers there are, confirmed and not yet."))

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
    { command: "signalbox status subscribers list --status confirmed", description: "Who is told of incidents" }
  ])
)

export const subscribers = Command.make("subscribers").pipe(
  Command.withDescription("Who is told of incidents by mail."),
  Command.withSubcommands([count, list])
)
