/** `signalbox service`: containers, systemd units and own daemons of this machine. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { json } from "#core/cli/Output.ts"
import { defaultLines } from "./Limits.ts"
import { kinds, states } from "./ServiceKinds.ts"

const operator = () => import("./Operator.ts")

const name = Argument.String("name").pipe(
  Argument.withDescription("Container, unit (with .service) or daemon; container:NAME for a container with such a name")
)

const list = Command.make(
  "list",
  {
    kind: Flag.Literals("kind", kinds).pipe(Flag.withDescription("Only of this kind"), Flag.optional),
    state: Flag.Literals("state", states).pipe(Flag.withDescription("Only in this state"), Flag.optional),
    search: Flag.String("search").pipe(Flag.withDescription("Part of the name"), Flag.optional),
    json
  },
  (flags) => lazily(operator, (module) => module.list(flags))
).pipe(Command.withDescription("Lists services with their state, daemons first."))

const show = Command.make("show", { name, json }, (flags) => lazily(operator, (module) => module.show(flags))).pipe(
  Command.withDescription("Shows one service with its recent restarts.")
)

const logs = Command.make(
  "logs",
  {
    name,
    lines: Flag.Int("lines").pipe(
      Flag.withAlias("n"),
      Flag.withDescription(`Last lines, 1 to 5000; default: ${defaultLines}`),
      Flag.withDefault(defaultLines)
    ),
    follow: Flag.Boolean("follow").pipe(
      Flag.withAlias("f"),
      Flag.withDescription("Goes on with new lines until Ctrl-C"),
      Flag.withDefault(false)
    ),
    json
  },
  (flags) => lazily(operator, (module) => module.logs(flags))
).pipe(
  Command.withDescription("Prints the log of a service. With --json each line is one JSON document."),
  Command.withExamples([{ command: "signalbox service logs -f postfix@-.service", description: "Follow Postfix" }])
)

const restart = Command.make(
  "restart",
  { name, reason: Flag.String("reason").pipe(Flag.withDescription("For the audit log"), Flag.optional), json },
  (flags) => lazily(operator, (module) => module.restart(flags))
).pipe(
  Command.withDescription(
    "Restarts a service that WATCHDOG_RESTARTABLE or WATCHDOG_CRITICAL lists, and waits until it is healthy. The " +
      "daemon watchdog does the work."
  )
)

export const service = Command.make("service").pipe(
  Command.withDescription("Shows and restarts containers, systemd units and daemons of this machine."),
  Command.withSubcommands([list, show, logs, restart])
)
