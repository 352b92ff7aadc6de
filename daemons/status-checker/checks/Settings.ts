import { containerSettings } from "#core/config/ContainerSettings.ts"
import type { Values } from "#core/config/Settings.ts"
import * as Settings from "#core/config/Settings.ts"
import { intervalSettings } from "../status/Settings.ts"

export const checkSettings = {
  ...intervalSettings,
  ...containerSettings,
  failuresBeforeDown: Settings.integer("SIGNALBOX_STATUS_FAILURES", {
    doc: "Consecutive worse checks before the shown status of a component gets worse",
    unit: "checks",
    default: 2,
    min: 1,
    max: 100
  }),
  successesBeforeUp: Settings.integer("SIGNALBOX_STATUS_SUCCESSES", {
    doc: "Consecutive better checks before the shown status of a component gets better",
    unit: "checks",
    default: 2,
    min: 1,
    max: 100
  })
}

export type CheckConfig = Values<typeof checkSettings>
