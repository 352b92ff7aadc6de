import { NodeRuntime } from "@effect/platform-node"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { teardown } from "#core/cli/Ending.ts"
import { program } from "#core/cli/Program.ts"
import { version } from "#core/config/Version.ts"
import type { KnownDaemon } from "#core/daemon/KnownDaemons.ts"
import { commands, daemonOf } from "./Commands.ts"
import { loaders } from "./Daemons.ts"
import { settingsCommands } from "./SettingsCommands.ts"

/** What is known of all daemons without their code. The build writes the file next to the bundle. */
const known = (): ReadonlyArray<KnownDaemon> =>
  JSON.parse(readFileSync(join(import.meta.dirname, "fleet.json"), "utf8")) as ReadonlyArray<KnownDaemon>

program({
  version,
  commands,
  settingsCommands,
  daemonOf,
  daemons: () => import("./Suite.ts").then((suite) => suite.daemons),
  parts: { known, load: (name) => loaders[name]!() }
}).pipe(NodeRuntime.runMain({ disableErrorReporting: true, teardown }))
