/** `signalbox status maintenance`: manages maintenance windows. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { json } from "#core/cli/Output.ts"
import { limit } from "../status/LimitFlag.ts"

const operator = () => import("./Operator.ts")

const list = Command.make(
  "list",
  {
    state: Flag.Literals("state", ["planned", "active", "over", "cancelled"]).pipe(
      Flag.withDescription("Only these"),
      Flag.optional
    ),
    limit,
    json
  },
  (flags) => lazily(operator, (module) => module.list(flags))
).pipe(Command.withDescription("Lists maintenance windows, those planned last first."))

const plan = Command.make(
  "plan",
  {
    title: Flag.String("title").pipe(Flag.withDescription("Title in German")),
    titleEn: Flag.String("title-en").pipe(Flag.withDescription("Title in English")),
    message: Flag.String("message").pipe(Flag.withDescription("More of it in German"), Flag.withDefault("")),
    messageEn: Flag.String("message-en").pipe(Flag.withDescription("More of it in English"), Flag.withDefault("")),
    components: Flag.String("components").pipe(Flag.withDescription("Ids of what is worked on, separated by commas")),
    starts: Flag.String("starts").pipe(Flag.withDescription("When it starts, such as 2030-01-31T22:00:00+01:00")),
    ends: Flag.String("ends").pipe(Flag.withDescription("When it ends"), Flag.optional),
    for: Flag.String("for").pipe(Flag.withDescription("Instead: how long it lasts, such as 90m, 2h"), Flag.optional),
    id: Flag.String("id").pipe(
      Flag.withDescription("How it is called; without it made of day and title"),
      Flag.optional
    ),
    json
  },
  (flags) => lazily(operator, (module) => module.plan(flags))
).pipe(
  Command.withDescription("Announces maintenance. It is shown at once, and its time counts neither as up nor as down."),
  Command.withExamples([
    {
      command:
        "signalbox status maintenance plan --title 'Neue Platten' --title-en 'New disks' --components webmail,dns --starts 2030-01-31T22:00:00+01:00 --for 2h",
      description: "Two hours in the night"
    }
  ])
)

const cancel = Command.make(
  "cancel",
  { which: Argument.String("maintenance").pipe(Argument.withDescription("Its id, as `list` shows it")), json },
  (flags) => lazily(operator, (module) => module.cancel(flags))
).pipe(Command.withDescription("Cancels maintenance, also while it is under way."))

export const maintenance = Command.make("maintenance").pipe(
  Command.withDescription("Work that is announced."),
  Command.withSubcommands([list, plan, cancel])
)
