import { NodeRuntime } from "@effect/platform-node"
import { teardown } from "#core/cli/Ending.ts"
import { program } from "#core/cli/Program.ts"
import { version } from "#core/config/Version.ts"
import { commands, daemonOf } from "./Commands.ts"
import { settingsCommands } from "./SettingsCommands.ts"

program({
  version,
  commands,
  settingsCommands,
  daemonOf,
  daemons: () => import("./Suite.ts").then((suite) => suite.daemons)
}).pipe(NodeRuntime.runMain({ disableErrorReporting: true, teardown }))
