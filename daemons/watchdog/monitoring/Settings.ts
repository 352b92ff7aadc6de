import { join } from "node:path"
import type { Values } from "#core/config/Settings.ts"
import * as Settings from "#core/config/Settings.ts"
import { containerSettings } from "#core/config/ContainerSettings.ts"
import { second } from "../alerting/Exports.ts"
import { kinds } from "./CheckKinds.ts"

/** Folder of the programs that command checks may run. */
const commandFolder = join("/etc", "signalbox", "checks")

/** `host:port`, or `name@host:port` where the name differs from the host. */
export const parseEndpoint = (
  text: string
): { readonly host: string; readonly port: number; readonly servername: string | null } | undefined => {
  const found = /^(?:([a-zA-Z0-9.-]+)@)?(?:\[([0-9a-fA-F:.]+)\]|([a-zA-Z0-9.-]+)):(\d{1,5})$/.exec(text)
  const port = Number(found?.[4])
  return found === null || port < 1 || port > 65_535
    ? undefined
    : { host: found[2] ?? found[3]!, port, servername: found[1] ?? null }
}

/** `host`, or `host:port`. */
export const parseTimeServer = (text: string): { readonly host: string; readonly port: number } | undefined =>
  parseEndpoint(/:\d+$/.test(text) ? text : `${text}:123`)

const isAbsolute = (item: string): string | undefined =>
  item.startsWith("/") ? undefined : `${item} is not an absolute path`

export const monitoringSettings = {
  ...containerSettings,
  second,
  interval: Settings.integer("SIGNALBOX_MONITOR_INTERVAL", {
    doc: "Interval of the checks of the monitoring",
    unit: "seconds",
    default: 300,
    min: 1,
    max: 86_400
  }),
  failures: Settings.integer("SIGNALBOX_MONITOR_FAILURES", {
    doc: "Failed checks in a row that open an alert; after the first one the check repeats sooner",
    unit: "checks",
    default: 2,
    min: 1,
    max: 100
  }),
  successes: Settings.integer("SIGNALBOX_MONITOR_SUCCESSES", {
    doc: "Good checks in a row that close an alert",
    unit: "checks",
    default: 2,
    min: 1,
    max: 100
  }),
  host: Settings.optionalText("SIGNALBOX_MONITOR_HOST", {
    doc: "Name of this machine in the monitoring; unset: the host name",
    check: (text) => (/^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,62}$/.test(text) ? undefined : "must be a name such as web1")
  }),
  without: Settings.list("SIGNALBOX_MONITOR_WITHOUT", {
    doc: `Kinds of built-in checks that do not run, of ${kinds.slice(0, -3).join(", ")}`,
    default: [],
    check: (item) => ((kinds as ReadonlyArray<string>).includes(item) ? undefined : `${item} is not a kind of checks`)
  }),
  disks: Settings.list("SIGNALBOX_MONITOR_DISKS", {
    doc: "Paths whose file systems are checked besides the mounted disks, such as /run or a network file system",
    default: [],
    check: isAbsolute
  }),
  containers: Settings.list("SIGNALBOX_MONITOR_CONTAINERS", {
    doc: "Containers that must exist; all existing ones are checked",
    default: [],
    check: (item) => (/^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/.test(item) ? undefined : `${item} is not the name of a container`)
  }),
  units: Settings.list("SIGNALBOX_MONITOR_UNITS", {
    doc: "Units of systemd that must be active, such as nginx.service; failed units are found without this",
    default: [],
    check: (item) => (/^[a-zA-Z0-9:_.@\\-]+\.[a-z]+$/.test(item) ? undefined : `${item} is not the name of a unit`)
  }),
  postfix: Settings.list("SIGNALBOX_MONITOR_POSTFIX", {
    doc: "Configuration folders of Postfix whose queues are checked, if they exist",
    default: ["/etc/postfix"],
    check: isAbsolute
  }),
  certificates: Settings.list("SIGNALBOX_MONITOR_CERTIFICATES", {
    doc: "Files with certificates, also with * in the path, such as /etc/letsencrypt/live/*/fullchain.pem",
    default: [],
    check: isAbsolute
  }),
  endpoints: Settings.list("SIGNALBOX_MONITOR_ENDPOINTS", {
    doc: "TLS endpoints whose certificates are checked: host:port, or name@host:port when the name differs",
    default: [],
    check: (item) => (parseEndpoint(item) === undefined ? `${item} is not an endpoint such as host:443` : undefined)
  }),
  timeServer: Settings.optionalText("SIGNALBOX_MONITOR_TIME_SERVER", {
    doc: "NTP server that the clock is compared with; unset: with the clock of the database",
    check: (text) => (parseTimeServer(text) === undefined ? "must be a host, or host:port" : undefined)
  }),
  health: Settings.list("SIGNALBOX_MONITOR_HEALTH", {
    doc: "Addresses of gateways and daemons whose /health is checked besides those on this machine",
    default: [],
    check: (item) =>
      /^https?:\/\/[^\s/@]+$/.test(item) ? undefined : `${item} is not an address such as http://h:8080`
  }),
  commands: Settings.text("SIGNALBOX_MONITOR_COMMANDS", {
    doc: "Folder of the programs that command checks may run",
    default: commandFolder
  })
}

export type MonitoringConfig = Values<typeof monitoringSettings>
