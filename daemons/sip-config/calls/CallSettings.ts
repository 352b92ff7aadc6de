import { cidrProblem } from "#core/config/PlatformSettings.ts"
import * as Settings from "#core/config/Settings.ts"
import { switchSettings } from "#core/config/SwitchSettings.ts"

export const callSettings = {
  ...switchSettings,
  callRetention: Settings.integer("SIGNALBOX_CALL_RETENTION_DAYS", {
    doc: "How long ended calls stay in the call list",
    unit: "days",
    default: 365,
    min: 1,
    max: 3650
  }),
  sipBanExempt: Settings.list("SIGNALBOX_SIP_BAN_EXEMPT_CIDRS", {
    doc: "Address ranges exempt from bans, such as an office's; loopback addresses are always exempt",
    default: [],
    check: cidrProblem
  })
}
