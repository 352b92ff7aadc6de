/** `signalbox alarm`: an operator raises an alarm, acknowledges one and reads the ledger. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { json } from "#core/cli/Output.ts"

const operator = () => import("./Operator.ts")

const send = Command.make(
  "send",
  {
    subject: Argument.String("subject").pipe(
      Argument.withDescription("SEVERITY:CHANNEL+TARGET[;CHANNEL+TARGET…][;RETRY:NxMm]"),
      Argument.optional
    ),
    body: Flag.String("body").pipe(Flag.withDescription("The alarm's text"), Flag.withDefault("")),
    from: Flag.String("from").pipe(Flag.withDescription("Who it comes from, as receivers see it"), Flag.optional),
    wait: Flag.Boolean("wait").pipe(
      Flag.withDescription("Follow it to its end; exit status 0 only when all was delivered"),
      Flag.withDefault(false)
    ),
    timeout: Flag.Int("timeout").pipe(Flag.withDescription("Seconds to follow it at most"), Flag.withDefault(120)),
    demo: Flag.Boolean("demo").pipe(
      Flag.withDescription("Send a webhook to a sink of this command and show it arrive; needs nothing configured"),
      Flag.withDefault(false)
    ),
    json
  },
  (flags) => lazily(operator, (module) => (flags.demo ? module.demo(flags) : module.send(flags)))
).pipe(
  Command.withDescription("Raises an alarm. An operator's own act: the sender is not checked."),
  Command.withExamples([
    { command: "signalbox alarm send --demo", description: "See one go through" },
    {
      command: 'signalbox alarm send "CRITICAL:WEBHOOK+https://example.org/hook;RETRY:3x5m" --body "Disk full" --wait',
      description: "A webhook with retries"
    }
  ])
)

const show = Command.make(
  "show",
  { id: Argument.String("id").pipe(Argument.withDescription("Id of the run, as `list` shows it")), json },
  (flags) => lazily(operator, (module) => module.show(flags))
).pipe(Command.withDescription("Shows one run of the ledger with its steps, targets and attempts."))

const list = Command.make(
  "list",
  {
    state: Flag.String("state").pipe(
      Flag.withDescription("Only runs in this state, such as running, failed or acknowledged"),
      Flag.optional
    ),
    limit: Flag.Int("limit").pipe(
      Flag.withDescription("At most so many, newest first"),
      Flag.filter(
        (limit) => limit >= 1 && limit <= 1000,
        () => "write a number from 1 to 1000"
      ),
      Flag.withDefault(20)
    ),
    json
  },
  (flags) => lazily(operator, (module) => module.list(flags))
).pipe(Command.withDescription("Lists the newest runs of the ledger."))

const ack = Command.make(
  "ack",
  {
    id: Argument.String("id").pipe(Argument.withDescription("Id of the run, as `list` shows it")),
    note: Flag.String("note").pipe(Flag.withDescription('What to write beside your name: "on my way"'), Flag.optional),
    json
  },
  (flags) => lazily(operator, (module) => module.ack(flags))
).pipe(
  Command.withDescription(
    "Acknowledges a run: its open retries, fallbacks and calls are stopped. What is under way ends by itself."
  ),
  Command.withExamples([{ command: 'signalbox alarm ack 0b5c… --note "on my way"', description: "Take an alarm on" }])
)

export const alarm = Command.make("alarm").pipe(
  Command.withDescription("Raise an alarm, acknowledge one, and read the ledger."),
  Command.withSubcommands([send, show, list, ack])
)
