import type { Values } from "#core/config/Settings.ts"
import { addressSettings, intervalSettings, mailSettings, optionalPath } from "../status/Settings.ts"

export const publicationSettings = {
  ...addressSettings,
  ...intervalSettings,
  ...mailSettings,
  pageDirectory: optionalPath(
    "SIGNALBOX_STATUS_PAGE_DIR",
    "Directory into which the page and its compressed forms are written, for a proxy to serve without us; " +
      "unset: nowhere"
  )
}

export type PublicationConfig = Values<typeof publicationSettings>
