import { cidrProblem } from "#core/config/PlatformSettings.ts"
import * as Settings from "#core/config/Settings.ts"

/** Loopback and private networks. Source: RFC 1918 §3, RFC 4193 §3. */
const privateRanges = ["127.0.0.0/8", "::1/128", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"]

export const switchLaneSettings = {
  switchRanges: Settings.list("SIGNALBOX_SWITCH_CIDRS", {
    doc: "Address ranges from which the telephone switch may send lookups, in addition to its service token",
    default: privateRanges,
    check: cidrProblem
  })
}
