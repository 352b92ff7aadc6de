/** Settings of the limits of requests. */
import { Result } from "effect"
import * as Settings from "#core/config/Settings.ts"
import { country } from "#core/config/TelephonySettings.ts"
import { callSettings, prefixProblem } from "../../channels/Exports.ts"
import { parse, perHourBounds } from "./TenantCallRules.ts"

export const limitSettings = {
  country,
  sipGateway: callSettings.sipGateway,
  sipGateways: callSettings.sipGateways,
  callMaxSeconds: callSettings.callMaxSeconds,
  costlyPrefixes: callSettings.costlyPrefixes,
  callsPerHour: Settings.integer("SIGNALBOX_CALLS_PER_HOUR", {
    doc: "Calls that the users of one tenant may request within an hour; more are refused. Alarm mails do not count",
    unit: "calls",
    default: 60,
    min: perHourBounds.least,
    max: perHourBounds.most
  }),
  callPrefixes: Settings.list("SIGNALBOX_CALLS_PREFIXES", {
    doc:
      "Beginnings of numbers, such as +49, that users may call without the permission calls.any; unset: the numbers " +
      "of SIGNALBOX_SIP_COUNTRY",
    default: [],
    check: prefixProblem
  }),
  callTenants: Settings.optionalText("SIGNALBOX_CALLS_TENANTS", {
    doc:
      'Other limits of single tenants, as JSON: [{"tenant": 2, "prefixes": ["+49", "+43"], "per_hour": 100}]; what ' +
      "is absent is as for all tenants",
    check: (text) => {
      const parsed = parse(text)
      return Result.isFailure(parsed) ? parsed.failure : undefined
    }
  })
}

export type LimitConfig = Settings.Values<typeof limitSettings>
