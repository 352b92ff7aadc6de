/** `signalbox status`: the status page, seen and run from this machine. */
import { Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { json } from "#core/cli/Output.ts"
import { incident } from "../incidents/IncidentCommand.ts"
import { limit } from "../status-files/Limit.ts"
import { maintenance } from "../incidents/maintenance/MaintenanceCommand.ts"

const operator = () => import("./StatusOperator.ts")

const show = Command.make(
  "show",
  {
    lang: Flag.Literals("lang", ["en", "de"]).pipe(
      Flag.withDescription("Language of names and titles"),
      Flag.withDefault("en" as const)
    ),
    json
  },
  (flags) => lazily(operator, (module) => module.show(flags))
).pipe(
  Command.withDescription(
    "Shows what the page shows: components with their uptime of 90 days (three days a mark), open incidents, maintenance."
  ),
  Command.withExamples([
    {
      command: "signalbox status show",
      description: "▇ good, ▅ degraded, ▃ partly down, ▁ down, ~ maintenance, · not measured"
    }
  ])
)

const check = Command.make("check", { json }, (flags) => lazily(operator, (module) => module.check(flags))).pipe(
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

const subscribers = Command.make("subscribers").pipe(
  Command.withDescription("Who is told of incidents by mail."),
  Command.withSubcommands([count, list])
)

export const status = Command.make("status").pipe(
  Command.withDescription("The status page: what works, incidents, maintenance, subscribers."),
  Command.withSubcommands([show, check, incident, maintenance, subscribers])
)
