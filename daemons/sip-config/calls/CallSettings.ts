import { cidrProblem } from "#core/config/PlatformSettings.ts"
import * as Settings from "#core/config/Settings.ts"
import { switchSettings } from "#core/config/SwitchSettings.ts"

export const callSettings = {
  ...switchSettings,
  callRetention: Settings.integer("SIGNALBOX_CALL_RETENTION_DAYS", {
    doc: "How long calls are kept for those who look who called",
    unit: "days",
    default: 365,
    min: 1,
    max: 3650
  }),
  sipBanExempt: Settings.list("SIGNALBOX_SIP_BAN_EXEMPT_CIDRS", {
    doc: "Ranges that are never banned for wrong passwords of phones, such as an office's; loopback never is",
    default: [],
    check: cidrProblem
  })
}
