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
    action: text("action", "Only this action, such as user.created, or a group of actions, such as 'user.*'"),
    actor: text("actor", "Only this actor: user:12, service:3, operator, system or nobody"),
    entityType: text("entity-type", "Only this type of entity: user, tenant, service_token or session"),
    entityId: text("entity-id", "Only the entity with this id"),
    since: text("since", "Start of the period: a time such as 2030-01-31T12:00:00Z, or an age such as 2h or 7d"),
    until: text("until", "End of the period, exclusive, in the same form"),
    tenant: Flag.Int("tenant").pipe(Flag.withDescription("Only this tenant, by its number"), Flag.optional),
    before: Flag.Int("before").pipe(
      Flag.withDescription("Only entries with a smaller number, for the next page"),
      Flag.optional
    ),
    follow: Flag.Boolean("follow").pipe(
      Flag.withDescription("Continue with new entries until stopped"),
      Flag.withDefault(false)
    ),
    limit,
    json
  },
  (flags) => lazily(operator, (module) => module.list(flags))
).pipe(
  Command.withDescription(
    "Lists the audit log, newest first; with --follow oldest first. --follow with --json prints one entry per line."
  ),
  Command.withExamples([
    {
      command: "signalbox audit list --action 'user.*' --since 7d",
      description: "Changes of users in the last seven days"
    },
    {
      command: "signalbox audit list --action 'refused.*' --follow",
      description: "Watch refused sign-ins as they happen"
    }
  ])
)

export const audit = Command.make("audit").pipe(
  Command.withDescription("Shows the audit log: who changed what, and when."),
  Command.withSubcommands([list])
)
