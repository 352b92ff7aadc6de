/** `signalbox events`: the event log. */
import { Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { json } from "#core/cli/Output.ts"

const operator = () => import("./Operator.ts")

const text = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)

const list = Command.make(
  "list",
  {
    pattern: Flag.String("pattern").pipe(
      Flag.withDescription("Only this type, or all below a prefix: mail.new_message, 'mail.*'"),
      Flag.withDefault("*")
    ),
    since: text("since", "Only from then on: 2030-01-31T12:00:00Z, or 2h, 7d for so long ago"),
    until: text("until", "Only before then, written alike"),
    before: text("before", "Only what lies before the event of this id: the next page"),
    follow: Flag.Boolean("follow").pipe(
      Flag.withDescription("Go on with what comes from now on, until stopped"),
      Flag.withDefault(false)
    ),
    limit: Flag.Int("limit").pipe(
      Flag.withDescription("At most so many, newest first"),
      Flag.filter(
        (limit) => limit >= 1 && limit <= 1000,
        () => "write a number from 1 to 1000"
      ),
      Flag.withDefault(50)
    ),
    json
  },
  (flags) => lazily(operator, (module) => module.list(flags))
).pipe(
  Command.withDescription(
    "Lists events of all tenants, newest first; with --follow oldest first, and goes on. With both --follow and " +
      "--json: one event a line."
  ),
  Command.withExamples([
    {
      command: "signalbox events list --pattern 'mail.*' --since 1h",
      description: "What became of mail within the hour"
    },
    { command: "signalbox events list --follow --json", description: "Everything, as it happens" }
  ])
)

export const events = Command.make("events").pipe(
  Command.withDescription("What has happened."),
  Command.withSubcommands([list])
)
