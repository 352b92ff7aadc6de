/** Settings of token introspection. */
import { cidrProblem } from "#core/config/PlatformSettings.ts"
import * as Settings from "#core/config/Settings.ts"

/**
 * Networks from which a mail server may introspect tokens by default: this machine and private networks. Source: RFC
 * 1918, RFC 4193.
 */
const privateRanges = ["127.0.0.0/8", "::1/128", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"]

export const mailLoginSettings = {
  introspectionRanges: Settings.list("SIGNALBOX_INTROSPECTION_ALLOW_CIDRS", {
    doc: "Networks from which a mail server may introspect tokens; its credentials are required as well",
    default: privateRanges,
    check: cidrProblem
  })
}
