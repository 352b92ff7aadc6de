import type { SettingProblem, Values } from "#core/config/Settings.ts"
import * as Settings from "#core/config/Settings.ts"
import { platformSettings } from "#core/config/PlatformSettings.ts"
import { second } from "../alerting/Exports.ts"

/** An origin of decisions, as CrowdSec writes it: `crowdsec`, `cscli`, `CAPI`, `lists`. */
const originProblem = (origin: string) =>
  /^[\w.:-]{1,50}$/.test(origin) ? undefined : `${origin.slice(0, 60)} is no origin of CrowdSec such as cscli`

export const banSettings = {
  second,
  trustedProxies: platformSettings.trustedProxies,
  networkDir: platformSettings.networkDir,
  crowdsecUrl: Settings.httpAddress("SIGNALBOX_CROWDSEC_URL", {
    doc: "CrowdSec's local API, such as http://127.0.0.1:8080; unset: only our own bans are shown"
  }),
  crowdsecKey: Settings.secret("SIGNALBOX_CROWDSEC_BOUNCER_KEY", {
    doc: "Key of a bouncer, with which CrowdSec's decisions are read: cscli bouncers add signalbox"
  }),
  crowdsecMachine: Settings.optionalText("SIGNALBOX_CROWDSEC_MACHINE", {
    doc: "Name of a machine, with which alerts are read and decisions lifted: cscli machines add NAME --password …",
    check: (name) => (/^[\w.-]{1,100}$/.test(name) ? undefined : "must be a name of letters, digits, dots and dashes")
  }),
  crowdsecPassword: Settings.secret("SIGNALBOX_CROWDSEC_PASSWORD", { doc: "Password of SIGNALBOX_CROWDSEC_MACHINE" }),
  crowdsecOrigins: Settings.list("SIGNALBOX_CROWDSEC_ORIGINS", {
    doc: "Origins of CrowdSec's decisions that are shown and given to the firewall; CAPI and lists have ten thousands",
    default: ["crowdsec", "cscli"],
    check: originProblem
  }),
  crowdsecInterval: Settings.integer("SIGNALBOX_CROWDSEC_INTERVAL_S", {
    doc: "Pause between two looks at CrowdSec",
    unit: "seconds",
    default: 15,
    min: 1,
    max: 3_600
  })
}

export type BanConfig = Values<typeof banSettings>

/** Settings that need each other. */
export const banConflicts = (config: BanConfig): ReadonlyArray<SettingProblem> => [
  ...(config.crowdsecUrl !== undefined && config.crowdsecKey === undefined
    ? [{ name: "SIGNALBOX_CROWDSEC_BOUNCER_KEY", message: "is required with SIGNALBOX_CROWDSEC_URL" }]
    : []),
  ...((config.crowdsecMachine === undefined) !== (config.crowdsecPassword === undefined)
    ? [{ name: "SIGNALBOX_CROWDSEC_PASSWORD", message: "and SIGNALBOX_CROWDSEC_MACHINE need each other" }]
    : [])
]
