/**
 * The command line as a whole. Defines the general commands; daemons add their own. The list of daemons is loaded only
 * by commands that need it.
 */
import { NodeServices } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { CliConfig, CliOutput, Command, GlobalFlag } from "effect/cli"
import type { Daemon } from "../daemon/Daemon.ts"
import * as Log from "../log/Log.ts"
import { ProgramVersion } from "../sql/Migrations.ts"
import type { AnyCommand } from "./AnyCommand.ts"
import { check } from "./CheckCommand.ts"
import { boundStop, report } from "./Ending.ts"
import { Fleet, type Parts } from "./Fleet.ts"
import { helpFormatter } from "./HelpText.ts"
import { health } from "./HealthCommand.ts"
import { migrate } from "./MigrateCommand.ts"
import { openapi } from "./OpenapiCommand.ts"
import { onHost } from "./OperatorHost.ts"
import { routes } from "./RoutesCommand.ts"
import { secrets } from "./SecretsCommand.ts"
import { run, up } from "./ServeCommands.ts"
import { settings } from "./SettingsCommand.ts"
import { token } from "./TokenCommand.ts"

export interface ProgramOptions {
  readonly version: string
  readonly daemons: () => Promise<ReadonlyArray<Daemon>>
  /** For `run`, which loads only its daemons. Default: it loads the code of all. */
  readonly parts?: Parts
  /** Command groups that daemons add. */
  readonly commands: ReadonlyArray<AnyCommand>
  /** Commands of the group `settings` that need code of the daemons. */
  readonly settingsCommands: ReadonlyArray<AnyCommand>
  /** Daemon of each of these groups, whose environment file the group reads. */
  readonly daemonOf: Readonly<Record<string, string>>
  /** Form of help texts; default: for terminals. */
  readonly formatter?: CliOutput.Formatter
}

/** The general commands. `more`: commands of daemons in the group `settings`. */
export const builtInCommands = (more: ReadonlyArray<AnyCommand>): ReadonlyArray<AnyCommand> => [
  up,
  run,
  check,
  migrate,
  token,
  health,
  routes,
  openapi,
  secrets,
  settings(more)
]

/** Parses and runs the command line. Prints failures on standard error; `teardown` sets the exit status. */
export const program = (options: ProgramOptions, args: ReadonlyArray<string> = process.argv.slice(2)) => {
  const root = Command.make("signalbox").pipe(
    Command.withDescription("Daemons for a small provider with a mail server and a telephone switch."),
    Command.withSubcommands([...builtInCommands(options.settingsCommands), ...options.commands])
  )
  return boundStop().pipe(
    Effect.andThen(Command.runWith(root, { version: options.version })(args).pipe(onHost(args, options.daemonOf))),
    report,
    Effect.provideService(ProgramVersion, options.version),
    Effect.provideService(Fleet, Fleet.of({ daemons: Effect.promise(options.daemons), parts: options.parts })),
    Effect.provide(
      Layer.mergeAll(
        NodeServices.layer,
        CliOutput.layer(options.formatter ?? helpFormatter),
        CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] }),
        // Operator commands print their own results, so only warnings are logged. `up` and `run` use the configured
        // log.
        Log.layer({ service: "signalbox", level: "warn", format: "logfmt" })
      )
    )
  )
}
