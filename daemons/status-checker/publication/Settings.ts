import type { Values } from "#core/config/Settings.ts"
import { brandSettings } from "#core/config/BrandSettings.ts"
import { addressSettings, intervalSettings, mailSettings, optionalPath } from "../status/Settings.ts"

export const publicationSettings = {
  ...addressSettings,
  ...intervalSettings,
  ...mailSettings,
  brandName: brandSettings.brandName,
  brandLogo: brandSettings.brandLogo,
  pageDirectory: optionalPath(
    "SIGNALBOX_STATUS_PAGE_DIR",
    "Directory for the page and its compressed forms, which a proxy can serve while this process is down; " +
      "unset: not written"
  )
}

export type PublicationConfig = Values<typeof publicationSettings>
