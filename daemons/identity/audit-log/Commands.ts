/** `signalbox audit`: shows the audit log. */
import { Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { json } from "#core/cli/Output.ts"
import { limit } from "#core/cli/Limit.ts"

const operator = () => import("./Operator.ts")

const text = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)

const list = Command.make(
  "list",
  {
    action: text("action", "Only this action, or all below one: user.created, 'user.*', 'refused.*'"),
    actor: text("actor", "Only what they did: user:12, service:3, operator, system, nobody"),
    entityType: text("entity-type", "Only what was done to things of this kind: user, tenant, service_token, session"),
    entityId: text("entity-id", "Only what was done to the thing of this id"),
    since: text("since", "Only from then on: 2030-01-31T12:00:00Z, or 2h, 7d for so long ago"),
    until: text("until", "Only before then, written alike"),
    tenant: Flag.Int("tenant").pipe(Flag.withDescription("Only of this tenant"), Flag.optional),
    before: Flag.Int("before").pipe(
      Flag.withDescription("Only entries with a smaller number: the next page"),
      Flag.optional
    ),
    follow: Flag.Boolean("follow").pipe(
      Flag.withDescription("Go on with what is written from now on, until stopped"),
      Flag.withDefault(false)
    ),
    limit,
    json
  },
  (flags) => lazily(operator, (module) => module.list(flags))
).pipe(
  Command.withDescription(
    "Lists the audit log, newest first; with --follow oldest first, and goes on. With both --follow and --json: one entry a line."
  ),
  Command.withExamples([
    { command: "signalbox audit list --action 'user.*' --since 7d", description: "What became of users this week" },
    { command: "signalbox audit list --action 'refused.*' --follow", description: "Watch who does not get in" }
  ])
)

export const audit = Command.make("audit").pipe(
  Command.withDescription("Who changed what, and when."),
  Command.withSubcommands([list])
)
