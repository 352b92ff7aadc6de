/** `signalbox settings`: settings of the installation that are stored in the database. */
import { Argument, Command, Flag } from "effect/cli"
import type { AnyCommand } from "./AnyCommand.ts"
import { lazily } from "./Fleet.ts"
import { json } from "./Output.ts"

const operator = () => import("./SettingsOperator.ts")

const name = Argument.String("name").pipe(
  Argument.withDescription("Name of the setting, which is also the name of its variable")
)

const list = Command.make("list", { json }, (flags) => lazily(operator, (module) => module.list(flags))).pipe(
  Command.withDescription(
    "Lists the settings that can be stored in the database, with their values and where these come from. A value of " +
      "the environment wins over a stored one."
  ),
  Command.withShortDescription("List settings with their values")
)

const set = Command.make(
  "set",
  {
    name,
    value: Argument.String("value").pipe(Argument.withDescription("Value, as the variable would have it")),
    json
  },
  (flags) => lazily(operator, (module) => module.change(flags.name, flags.value, flags.json))
).pipe(
  Command.withDescription("Stores a setting. All running processes see it within a second."),
  Command.withExamples([
    {
      command: "signalbox settings set SIGNALBOX_ALARM_ALLOWED_DOMAINS example.org,*.example.net",
      description: "Who may raise alarms by mail"
    }
  ])
)

const unset = Command.make("unset", { name, json }, (flags) =>
  lazily(operator, (module) => module.change(flags.name, undefined, flags.json))
).pipe(Command.withDescription("Removes a stored setting, so that its default holds."))

const exported = Command.make(
  "export",
  {
    secrets: Flag.Boolean("secrets").pipe(
      Flag.withDescription("Print secrets in plain text; default: only their names, as comments"),
      Flag.withDefault(false)
    ),
    json
  },
  (flags) => lazily(operator, (module) => module.exportAll(flags))
).pipe(
  Command.withDescription(
    "Prints the stored settings in the form of an environment file, which `import` reads, and systemd too."
  ),
  Command.withExamples([
    { command: "signalbox settings export > settings.env", description: "Copy the settings of an installation" }
  ])
)

const imported = Command.make(
  "import",
  { file: Argument.String("file").pipe(Argument.withDescription("Environment file; - reads standard input")), json },
  (flags) => lazily(operator, (module) => module.importAll(flags))
).pipe(
  Command.withDescription(
    "Stores all settings of an environment file, or none when one of them is wrong. Settings that the file does not " +
      "name stay."
  )
)

const table = Command.make("table", {}, () => lazily(operator, (module) => module.table)).pipe(
  Command.withDescription("Prints where every setting lives and what locks it, as Markdown (docs/settings.md).")
)

/** `more`: commands that need code of the daemons. */
export const settings = (more: ReadonlyArray<AnyCommand>) =>
  Command.make("settings").pipe(
    Command.withDescription("Settings of the installation that are stored in the database."),
    Command.withShortDescription("List and change stored settings"),
    Command.withSubcommands([list, set, unset, exported, imported, table, ...more])
  )
