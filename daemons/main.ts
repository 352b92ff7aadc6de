import { NodeRuntime } from "@effect/platform-node"
import { teardown } from "#core/cli/Ending.ts"
import { program } from "#core/cli/Program.ts"
import manifest from "../package.json" with { type: "json" }
import { commands, daemonOf, settingsCommands } from "./Commands.ts"

program({
  version: manifest.version,
  commands,
  settingsCommands,
  daemonOf,
  daemons: () => import("./Suite.ts").then((suite) => suite.daemons)
}).pipe(NodeRuntime.runMain({ disableErrorReporting: true, teardown }))
