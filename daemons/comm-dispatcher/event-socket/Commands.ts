/** `signalbox events`: the event log. */
import { Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { limit } from "#core/cli/Limit.ts"
import { json } from "#core/cli/Output.ts"

const operator = () => import("./Operator.ts")

const text = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)

const list = Command.make(
  "list",
  {
    pattern: Flag.String("pattern").pipe(
      Flag.withDescription(
        "Only this type, such as mail.new_message, or all types with a prefix, such as 'mail.*'; default: all"
      ),
      Flag.withDefault("*")
    ),
    since: text("since", "Only events from this time on: 2030-01-31T12:00:00Z, or an age such as 2h or 7d"),
    until: text("until", "Only events before this time, in the same form"),
    before: text("before", "Only events before the event with this ID: the next page"),
    follow: Flag.Boolean("follow").pipe(
      Flag.withDescription("Continue with new events until stopped"),
      Flag.withDefault(false)
    ),
    limit,
    json
  },
  (flags) => lazily(operator, (module) => module.list(flags))
).pipe(
  Command.withDescription(
    "Lists events of all tenants, newest first. With --follow: oldest first, then new events. With --follow and " +
      "--json: one event per line."
  ),
  Command.withExamples([
    { command: "signalbox events list --pattern 'mail.*' --since 1h", description: "Mail events of the last hour" },
    { command: "signalbox events list --follow --json", description: "All events as they happen" }
  ])
)

export const events = Command.make("events").pipe(
  Command.withDescription("Reads the event log."),
  Command.withSubcommands([list])
)
