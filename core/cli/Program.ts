/**
 * The command line as a whole. Knows the general commands; daemons bring their own, and their list is loaded only by
 * the commands that need it.
 */
import { NodeServices } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { CliConfig, Command, GlobalFlag } from "effect/cli"
import type { Daemon } from "../daemon/Daemon.ts"
import * as Log from "../log/Log.ts"
import { check } from "./CheckCommand.ts"
import { boundStop, report } from "./Ending.ts"
import { Fleet } from "./Fleet.ts"
import { health } from "./HealthCommand.ts"
import { migrate } from "./MigrateCommand.ts"
import { openapi } from "./OpenapiCommand.ts"
import { routes } from "./RoutesCommand.ts"
import { secrets } from "./SecretsCommand.ts"
import { run, up } from "./ServeCommands.ts"
import { token } from "./TokenCommand.ts"

export interface ProgramOptions {
  readonly version: string
  readonly daemons: () => Promise<ReadonlyArray<Daemon>>
  /** The command groups that daemons bring. */
  // Command is invariant in its input, so no typed form holds commands of different inputs.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly commands: ReadonlyArray<Command.Command<any, any, any, any, Fleet | Command.Environment>>
}

/** Reads the command line and does what it says. Says failures on standard error; the exit status is `teardown`'s. */
export const program = (options: ProgramOptions, args: ReadonlyArray<string> = process.argv.slice(2)) => {
  const root = Command.make("signalbox").pipe(
    Command.withDescription("The daemons a small provider runs beside its mail server and telephone switch."),
    Command.withSubcommands([up, run, check, migrate, token, health, routes, openapi, secrets, ...options.commands])
  )
  return boundStop().pipe(
    Effect.andThen(Command.runWith(root, { version: options.version })(args)),
    report,
    Effect.provideService(Fleet, Fleet.of({ daemons: Effect.promise(options.daemons) })),
    Effect.provide(
      Layer.mergeAll(
        NodeServices.layer,
        CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] }),
        // Commands of operators say what matters by themselves; `up` and `run` log as they are configured.
        Log.layer({ service: "signalbox", level: "warn", format: "logfmt" })
      )
    )
  )
}
