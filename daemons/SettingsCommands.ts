/** Commands of the group `settings` that need code of the daemons. Definitions only, like Commands.ts. */
import type { ProgramOptions } from "#core/cli/Program.ts"
import { settingsTest } from "./identity/platform-settings/Exports.ts"

export const settingsCommands: ProgramOptions["settingsCommands"] = [settingsTest]
