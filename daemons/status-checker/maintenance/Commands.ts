/** `signalbox status maintenance`: manages maintenance windows. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { limit } from "#core/cli/Limit.ts"
import { json } from "#core/cli/Output.ts"

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
).pipe(Command.withDescription("Lists maintenance windows, newest first."))

const plan = Command.make(
  "plan",
  {
    title: Flag.String("title").pipe(Flag.withDescription("Title in German")),
    titleEn: Flag.String("title-en").pipe(Flag.withDescription("Title in English")),
    message: Flag.String("message").pipe(
      Flag.withDescription("Message in German; default: none"),
      Flag.withDefault("")
    ),
    messageEn: Flag.String("message-en").pipe(
      Flag.withDescription("Message in English; default: none"),
      Flag.withDefault("")
    ),
    components: Flag.String("components").pipe(
      Flag.withDescription("Ids of the affected components, separated by commas")
    ),
    starts: Flag.String("starts").pipe(Flag.withDescription("Start, such as 2030-01-31T22:00:00+01:00")),
    ends: Flag.String("ends").pipe(Flag.withDescription("End"), Flag.optional),
    for: Flag.String("for").pipe(Flag.withDescription("Duration instead of an end, such as 90m, 2h"), Flag.optional),
    id: Flag.String("id").pipe(Flag.withDescription("Id; default: generated from day and title"), Flag.optional),
    json
  },
  (flags) => lazily(operator, (module) => module.plan(flags))
).pipe(
  Command.withDescription(
    "Announces maintenance. It is public at once, and its time counts neither as up nor as down."
  ),
  Command.withExamples([
    {
      command:
        "signalbox status maintenance plan --title 'Neue Platten' --title-en 'New disks' --components webmail,dns " +
        "--starts 2030-01-31T22:00:00+01:00 --for 2h",
      description: "Two hours at night"
    }
  ])
)

const cancel = Command.make(
  "cancel",
  { which: Argument.String("maintenance").pipe(Argument.withDescription("Id of the window, as in `list`")), json },
  (flags) => lazily(operator, (module) => module.cancel(flags))
).pipe(Command.withDescription("Cancels planned or active maintenance."))

export const maintenance = Command.make("maintenance").pipe(
  Command.withDescription("Manages maintenance windows."),
  Command.withSubcommands([list, plan, cancel])
)
