import type { Values } from "#core/config/Settings.ts"
import * as Settings from "#core/config/Settings.ts"
import { intervalSettings } from "../status/Settings.ts"

export const proposalSettings = {
  ...intervalSettings,
  proposeAfter: Settings.integer("SIGNALBOX_STATUS_PROPOSE_AFTER", {
    doc: "Time a component is shown as down before an incident is drafted",
    unit: "seconds",
    default: 900,
    min: 1,
    max: 86_400
  })
}

export type ProposalConfig = Values<typeof proposalSettings>
