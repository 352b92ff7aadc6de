import type { Values } from "#core/config/Settings.ts"
import { notifiedSettings, optionalPath } from "../status/Settings.ts"

export const importSettings = {
  uptimeFile: optionalPath("UPTIME_FILE", "JSON file with days measured before, taken in once; unset: none"),
  subscribersFile: optionalPath("SUBSCRIBERS_DB", "SQLite or JSON file with subscribers, taken in once; unset: none"),
  ...notifiedSettings
}

export type ImportConfig = Values<typeof importSettings>
