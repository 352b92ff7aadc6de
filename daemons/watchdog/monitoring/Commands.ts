/** `signalbox monitor`: checks of machines and services. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { limit } from "#core/cli/Limit.ts"
import { json } from "#core/cli/Output.ts"
import { kinds, origins, statuses } from "./CheckKinds.ts"

const operator = () => import("./Operator.ts")

const check = Argument.String("check").pipe(
  Argument.withDescription("Id, key or name of the check, as `signalbox monitor checks` shows them")
)

const seconds = (name: string, description: string) =>
  Flag.Int(name).pipe(Flag.withDescription(`${description}. Unit: seconds`), Flag.optional)

const adjustments = {
  interval: seconds("interval", "Interval of the check; default: the setting"),
  timeout: seconds("timeout", "Time after which the check has failed; default: 10"),
  warning: Flag.Finite("warning").pipe(Flag.withDescription("Threshold of a warning"), Flag.optional),
  critical: Flag.Finite("critical").pipe(Flag.withDescription("Threshold of a critical alert"), Flag.optional),
  failures: Flag.Int("failures").pipe(Flag.withDescription("Failed checks in a row that open an alert"), Flag.optional),
  successes: Flag.Int("successes").pipe(Flag.withDescription("Good checks in a row that close it"), Flag.optional)
}

const checks = Command.make(
  "checks",
  {
    kind: Flag.Literals("kind", kinds).pipe(Flag.withDescription("Only of this kind"), Flag.optional),
    status: Flag.Literals("status", statuses).pipe(Flag.withDescription("Only with this status"), Flag.optional),
    origin: Flag.Literals("origin", origins).pipe(
      Flag.withDescription("Only built-in ones, or only those of operators"),
      Flag.optional
    ),
    host: Flag.String("host").pipe(Flag.withDescription("Only of this machine"), Flag.optional),
    alerting: Flag.Boolean("alerting").pipe(
      Flag.withDescription("Only checks that report an alert; exit code 1 when there is one"),
      Flag.withDefault(false)
    ),
    search: Flag.String("search").pipe(Flag.withDescription("Only with this text in the key"), Flag.optional),
    limit,
    json
  },
  (flags) => lazily(operator, (module) => module.checks(flags))
).pipe(
  Command.withDescription("Lists checks with their last results."),
  Command.withExamples([{ command: "signalbox monitor checks --alerting", description: "What is wrong now" }])
)

const show = Command.make(
  "show",
  {
    check,
    hours: Flag.Int("hours").pipe(
      Flag.withDescription("Length of the history, at most 2160; default: 24. Unit: hours"),
      Flag.filter(
        (hours) => hours >= 1 && hours <= 2_160,
        () => "a number from 1 to 2160"
      ),
      Flag.withDefault(24)
    ),
    json
  },
  (flags) => lazily(operator, (module) => module.show(flags))
).pipe(Command.withDescription("Shows a check with its thresholds and its history."))

const run = Command.make(
  "run",
  {
    check,
    wait: Flag.Boolean("wait").pipe(
      Flag.withDescription("Wait for the result; exit code 1 when it is not ok"),
      Flag.withDefault(false)
    ),
    json
  },
  (flags) => lazily(operator, (module) => module.run(flags))
).pipe(Command.withDescription("Runs a check now. The running daemon does it."))

const group = Flag.String("group").pipe(
  Flag.withDescription("Cause that its alert shares with others; default: the host of the check"),
  Flag.optional
)

const add = Command.make(
  "add",
  {
    name: Argument.String("name").pipe(Argument.withDescription("Name of the new check")),
    url: Flag.String("url").pipe(Flag.withDescription("HTTP check of this address"), Flag.optional),
    expect: Flag.String("expect").pipe(
      Flag.withDescription("With --url: good statuses, separated by commas; default: 200 to 399"),
      Flag.optional
    ),
    contains: Flag.String("contains").pipe(
      Flag.withDescription("With --url: text that the answer must contain"),
      Flag.optional
    ),
    tcp: Flag.String("tcp").pipe(Flag.withDescription("TCP check of host:port"), Flag.optional),
    certificate: Flag.String("certificate").pipe(
      Flag.withDescription("Certificate of host:port, or name@host:port"),
      Flag.optional
    ),
    command: Flag.String("command").pipe(
      Flag.withDescription("Program of the command folder; arguments follow after --"),
      Flag.optional
    ),
    arguments: Argument.String("arguments").pipe(
      Argument.withDescription("Arguments of the program"),
      Argument.variadic()
    ),
    host: Flag.String("host").pipe(
      Flag.withDescription("Machine that runs the check; default: any one of the installation"),
      Flag.optional
    ),
    group,
    ...adjustments,
    json
  },
  (flags) => lazily(operator, (module) => module.add(flags))
).pipe(
  Command.withDescription("Adds a check: give one of --url, --tcp, --certificate, --command."),
  Command.withExamples([
    {
      command: "signalbox monitor add webmail --url https://mail.example.org/ --contains Roundcube --warning 2000",
      description: "A warning when the answer takes more than two seconds"
    },
    {
      command: "signalbox monitor add raid --command check_raid --host web1 -- --warning 1",
      description: "A plugin in the command folder of one machine"
    }
  ])
)

const change = Command.make(
  "change",
  {
    check,
    enable: Flag.Boolean("enable").pipe(Flag.withDescription("Enable the check"), Flag.withDefault(false)),
    disable: Flag.Boolean("disable").pipe(
      Flag.withDescription("Disable the check; its alert is closed"),
      Flag.withDefault(false)
    ),
    reset: Flag.Boolean("reset").pipe(
      Flag.withDescription("Restore the defaults of all thresholds and times"),
      Flag.withDefault(false)
    ),
    group,
    ...adjustments,
    json
  },
  (flags) => lazily(operator, (module) => module.change(flags))
).pipe(Command.withDescription("Changes thresholds and times of a check, or disables it."))

const remove = Command.make("remove", { check, json }, (flags) =>
  lazily(operator, (module) => module.remove(flags))
).pipe(Command.withDescription("Removes an operator's check. Its alert is closed, and its history is deleted."))

export const monitor = Command.make("monitor").pipe(
  Command.withDescription("Checks of machines and services."),
  Command.withSubcommands([checks, show, run, add, change, remove])
)
