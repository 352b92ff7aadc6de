import { cidrProblem } from "#core/config/PlatformSettings.ts"
import type { Values } from "#core/config/Settings.ts"
import * as Settings from "#core/config/Settings.ts"

export const accountSettings = {
  bankAllow: Settings.list("SIGNALBOX_BANK_ALLOW_CIDRS", {
    doc: "Private networks in which EBICS servers of bank accounts may be, such as a proxy to the bank; unset: none",
    default: [],
    check: cidrProblem
  })
}

export type AccountSettings = Values<typeof accountSettings>
