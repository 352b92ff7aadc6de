/** `signalbox alarm`: an operator raises an alarm, acknowledges one and reads the ledger. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { limit } from "#core/cli/Limit.ts"
import { json } from "#core/cli/Output.ts"

const operator = () => import("./Operator.ts")

const send = Command.make(
  "send",
  {
    subject: Argument.String("subject").pipe(
      Argument.withDescription("SEVERITY:CHANNEL+TARGET[;CHANNEL+TARGET…][;RETRY:NxMm]"),
      Argument.optional
    ),
    body: Flag.String("body").pipe(Flag.withDescription("Text of the alarm; default: none"), Flag.withDefault("")),
    from: Flag.String("from").pipe(Flag.withDescription("Sender shown to receivers"), Flag.optional),
    wait: Flag.Boolean("wait").pipe(
      Flag.withDescription("Wait for the end of the alarm; exit status 0 only when every target was delivered"),
      Flag.withDefault(false)
    ),
    timeout: Flag.Int("timeout").pipe(
      Flag.withDescription("Longest wait, in seconds; default: 120"),
      Flag.withDefault(120)
    ),
    demo: Flag.Boolean("demo").pipe(
      Flag.withDescription("Send a webhook to a temporary receiver of this command; requires no configuration"),
      Flag.withDefault(false)
    ),
    json
  },
  (flags) => lazily(operator, (module) => (flags.demo ? module.demo(flags) : module.send(flags)))
).pipe(
  Command.withDescription("Raises an alarm. The sender is not checked, because the caller is an operator."),
  Command.withExamples([
    { command: "signalbox alarm send --demo", description: "Watch a delivery" },
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
    limit,
    json
  },
  (flags) => lazily(operator, (module) => module.list(flags))
).pipe(Command.withDescription("Lists the newest runs of the ledger."))

const ack = Command.make(
  "ack",
  {
    id: Argument.String("id").pipe(Argument.withDescription("Id of the run, as `list` shows it")),
    note: Flag.String("note").pipe(Flag.withDescription('Note stored with your name: "on my way"'), Flag.optional),
    json
  },
  (flags) => lazily(operator, (module) => module.ack(flags))
).pipe(
  Command.withDescription(
    "Acknowledges a run: stops its open retries, fallbacks and calls. Attempts under way are completed."
  ),
  Command.withExamples([
    { command: 'signalbox alarm ack 0b5c… --note "on my way"', description: "Acknowledge an alarm" }
  ])
)

export const alarm = Command.make("alarm").pipe(
  Command.withDescription("Raises and acknowledges alarms, and shows the ledger."),
  Command.withSubcommands([send, show, list, ack])
)
