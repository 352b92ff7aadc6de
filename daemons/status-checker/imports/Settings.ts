import type { Values } from "#core/config/Settings.ts"
import { notifiedSettings, optionalPath } from "../status/Settings.ts"

export const importSettings = {
  uptimeFile: optionalPath("UPTIME_FILE", "JSON file with days measured by another system, imported once; unset: none"),
  subscribersFile: optionalPath(
    "SUBSCRIBERS_DB",
    "SQLite or JSON file with subscribers of another system, imported once; unset: none"
  ),
  ...notifiedSettings
}

export type ImportConfig = Values<typeof importSettings>
