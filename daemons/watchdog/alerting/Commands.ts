/** `signalbox alert`: shows, acknowledges and silences alerts from this machine. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { limit } from "#core/cli/Limit.ts"
import { json } from "#core/cli/Output.ts"
import { severities } from "./Words.ts"

const operator = () => import("./Operator.ts")

const list = Command.make(
  "list",
  {
    state: Flag.Literals("state", ["open", "closed"]).pipe(
      Flag.withDescription("Only alerts in this state"),
      Flag.optional
    ),
    severity: Flag.Literals("severity", severities).pipe(
      Flag.withDescription("Only alerts of this severity"),
      Flag.optional
    ),
    group: Flag.String("group").pipe(Flag.withDescription("Only alerts of this host or container"), Flag.optional),
    limit,
    json
  },
  (flags) => lazily(operator, (module) => module.list(flags))
).pipe(Command.withDescription("Lists alerts, newest first."))

const alertId = Argument.String("alert").pipe(Argument.withDescription("Id of the alert, as in `list`"))

const show = Command.make("show", { id: alertId, json }, (flags) =>
  lazily(operator, (module) => module.show(flags))
).pipe(Command.withDescription("Shows an alert with its messages."))

const ack = Command.make(
  "ack",
  {
    id: alertId,
    note: Flag.String("note").pipe(Flag.withDescription("Who cares for it, or what is known"), Flag.optional),
    json
  },
  (flags) => lazily(operator, (module) => module.acknowledge(flags))
).pipe(Command.withDescription("Acknowledges an open alert: no repeated messages follow."))

const silence = Command.make(
  "silence",
  {
    key: Flag.String("key").pipe(Flag.withDescription("Alerts with this key; * stands for any text"), Flag.optional),
    group: Flag.String("group").pipe(
      Flag.withDescription("Alerts of this group; * stands for any text"),
      Flag.optional
    ),
    from: Flag.String("from").pipe(
      Flag.withDescription("Start, such as 2030-01-31T22:00:00+01:00; default: now"),
      Flag.optional
    ),
    for: Flag.String("for").pipe(Flag.withDescription("Duration, such as 90m, 2h or 3d")),
    reason: Flag.String("reason").pipe(Flag.withDescription("Why, for those who see the silence")),
    json
  },
  (flags) => lazily(operator, (module) => module.silence(flags))
).pipe(
  Command.withDescription("Keeps back the messages of alerts for a time. They are still recorded."),
  Command.withExamples([
    { command: "signalbox alert silence --key 'disk *' --for 2h --reason 'new disks'", description: "For two hours" }
  ])
)

const silenceId = Argument.String("silence").pipe(Argument.withDescription("Id of the silence, as in `silences`"))

const changeSilence = Command.make(
  "change-silence",
  {
    id: silenceId,
    key: Flag.String("key").pipe(Flag.withDescription("New pattern of the key; empty: any"), Flag.optional),
    group: Flag.String("group").pipe(Flag.withDescription("New pattern of the group; empty: any"), Flag.optional),
    for: Flag.String("for").pipe(Flag.withDescription("New duration from now, such as 90m or 2h"), Flag.optional),
    reason: Flag.String("reason").pipe(Flag.withDescription("New reason"), Flag.optional),
    json
  },
  (flags) => lazily(operator, (module) => module.changeSilence(flags))
).pipe(Command.withDescription("Changes a silence that is not over."))

const unsilence = Command.make("unsilence", { id: silenceId, json }, (flags) =>
  lazily(operator, (module) => module.unsilence(flags))
).pipe(Command.withDescription("Ends a silence now."))

const silences = Command.make(
  "silences",
  {
    state: Flag.Literals("state", ["planned", "active", "over"]).pipe(
      Flag.withDescription("Only silences in this state"),
      Flag.optional
    ),
    limit,
    json
  },
  (flags) => lazily(operator, (module) => module.silences(flags))
).pipe(Command.withDescription("Lists silences, newest first."))

const test = Command.make("test", { json }, (flags) => lazily(operator, (module) => module.test(flags))).pipe(
  Command.withDescription("Sends a test message by every configured way. The running daemon does the work.")
)

const rules = Command.make(
  "rules",
  {
    set: Flag.String("set").pipe(
      Flag.withDescription("Changed rules as JSON, such as '{\"repeat_critical_minutes\":[30,120]}'"),
      Flag.optional
    ),
    json
  },
  (flags) => lazily(operator, (module) => module.rules(flags))
).pipe(Command.withDescription("Shows or changes the rules of repeats, gathering and flapping."))

const heartbeats = Command.make("heartbeats", { json }, (flags) =>
  lazily(operator, (module) => module.heartbeats(flags))
).pipe(Command.withDescription("Lists the hosts whose heartbeats are expected here."))

const forget = Command.make(
  "forget",
  { name: Argument.String("host").pipe(Argument.withDescription("Name of the host, as in `heartbeats`")), json },
  (flags) => lazily(operator, (module) => module.forget(flags))
).pipe(Command.withDescription("Expects no further heartbeats of a host."))

export const alert = Command.make("alert").pipe(
  Command.withDescription("Shows, acknowledges and silences alerts of the watchdog."),
  Command.withSubcommands([
    list,
    show,
    ack,
    silence,
    changeSilence,
    unsilence,
    silences,
    test,
    rules,
    heartbeats,
    forget
  ])
)
