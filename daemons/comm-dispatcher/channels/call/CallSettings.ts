/** Settings of telephone calls. */
import { Duration, Result } from "effect"
import { switchSettings } from "#core/config/SwitchSettings.ts"
import * as Settings from "#core/config/Settings.ts"
import { stored } from "#core/settings/StoredSetting.ts"
import { defaultPerGateway, defaultWait } from "./CallLock.ts"
import { prefixProblem } from "./CallNumbers.ts"
import { isCallerId, isGatewayName, ringBounds } from "./CallPlan.ts"
import { alarmLanguage } from "#core/config/AlarmSettings.ts"

const gatewayProblem = (name: string): string | undefined =>
  isGatewayName(name) ? undefined : "a gateway's name may hold letters, digits and . _ - only"

const optional = (
  setting: Settings.Setting<string | undefined>,
  problem: (value: string) => string | undefined
): Settings.Setting<string | undefined> => ({
  ...setting,
  parse: (raw) => {
    const value = raw.trim()
    const wrong = problem(value)
    return wrong === undefined ? Result.succeed(value) : Result.fail(wrong)
  }
})

export const callSettings = {
  ...switchSettings,
  sipGateway: stored(
    optional(
      Settings.optionalText("SIGNALBOX_SIP_GATEWAY", {
        doc: "The switch's name of the SIP gateway for calls that name none"
      }),
      gatewayProblem
    ),
    {
      group: "switch",
      title: { en: "Gateway for calls", de: "Gateway für Anrufe" },
      help: {
        en: "The switch's name of the SIP gateway for calls that name none, such as provider.",
        de: "Name des SIP-Gateways in der Telefonanlage für Anrufe, die keines nennen, zum Beispiel provider."
      }
    }
  ),
  sipGateways: Settings.list("SIGNALBOX_SIP_GATEWAYS", {
    doc: "Further gateways that callers with a service token may name; tenants use their own trunks",
    default: [],
    check: gatewayProblem
  }),
  callsPerGateway: Settings.integer("SIGNALBOX_CALLS_PER_GATEWAY", {
    doc: "Parallel calls on one gateway, for calls that no longer wait for the call lock",
    unit: "calls",
    default: defaultPerGateway,
    min: 1,
    max: 100
  }),
  callsReserved: Settings.integer("SIGNALBOX_CALLS_RESERVED", {
    doc:
      "How many of the parallel calls on one gateway are reserved for alarm mails; one stays open to all. An overdue " +
      "alarm goes even when all are taken",
    unit: "calls",
    default: 1,
    min: 0,
    max: 99
  }),
  costlyPrefixes: Settings.list("SIGNALBOX_CALLS_COSTLY_PREFIXES", {
    doc: "Beginnings of premium-rate, shared-cost and satellite numbers that may be called; all others are refused",
    default: [],
    check: prefixProblem
  }),
  callMaxSeconds: Settings.integer("SIGNALBOX_CALL_MAX_SECONDS", {
    doc:
      "Longest call after the answer: longer requests are refused, and an alarm is repeated less often; it is heard " +
      "at least once",
    unit: "seconds",
    default: 600,
    min: 60,
    max: 3_600
  }),
  callLockWait: Settings.integer("SIGNALBOX_CALL_LOCK_WAIT_MS", {
    doc:
      "Longest wait of a due call for the previous alarm call; then it goes anyway. Values other than 90000 are " +
      "for tests",
    unit: "milliseconds",
    default: Duration.toMillis(defaultWait),
    min: 10,
    max: 600_000
  }),
  callAckKey: Settings.flag("SIGNALBOX_CALL_ACK_KEY", {
    doc: "Lets the called person press 1 to acknowledge, which ends all retries of the alarm; the call says so",
    default: true
  }),
  callRingTimeout: Settings.integer("SIGNALBOX_CALL_RING_TIMEOUT", {
    doc: "How long a telephone rings",
    unit: "seconds",
    default: 45,
    min: ringBounds.least,
    max: ringBounds.most
  }),
  callCallerId: optional(
    Settings.optionalText("SIGNALBOX_CALL_CALLER_ID", {
      doc: "Number shown to the called person; unset: the caller id of the trunk"
    }),
    (value) => (isCallerId(value) ? undefined : "must be digits, with + before them or not")
  ),
  alarmLanguage
}

export type CallConfig = Settings.Values<typeof callSettings>
