import type { Values } from "#core/config/Settings.ts"
import { optionalPath } from "../status/Settings.ts"

export const fileSettings = {
  servicesFile: optionalPath(
    "SERVICES_FILE",
    "JSON file with the components and how they are checked, read again when it changes; unset: no components"
  ),
  incidentsFile: optionalPath(
    "INCIDENTS_FILE",
    "JSON file with incidents, edited by hand and read again when it changes; unset: none"
  )
}

export type FileConfig = Values<typeof fileSettings>
