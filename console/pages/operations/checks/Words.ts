/** Words of checks in both languages. */
import type { Answer } from "../../../lib/Endpoints.ts"
import { bytes, duration, longDuration, number } from "../../../lib/Format.ts"
import { language, words } from "../../../lib/Language.ts"
import type { Tone } from "../../../parts/Badge.tsx"
import { measurement } from "./MeasurementWords.ts"

export type Check = Answer<"GET /api/v1/monitoring/checks">["items"][number]
export type CheckWithHistory = Answer<"GET /api/v1/monitoring/checks/:id">
export type Status = Check["status"]
export type Kind = Check["kind"]
export type Definition = NonNullable<Check["definition"]>

const t = words({
  en: {
    container: "Container",
    engine: "Container engine",
    mail_queue: "Mail queue",
    disk: "Disk",
    inodes: "Inodes",
    certificate: "Certificate",
    memory: "Memory",
    load: "Load",
    clock: "Clock",
    unit: "systemd unit",
    units: "Failed units",
    postgres: "Postgres",
    connections: "Connections of Postgres",
    transaction: "Oldest transaction",
    dead_rows: "Dead rows",
    replication: "Replication",
    daemon: "Own daemon",
    backup: "Age of the backup",
    http: "HTTP",
    tcp: "TCP",
    command: "Command",
    pending: "not checked yet",
    ok: "ok",
    warning: "warning",
    critical: "critical",
    unknown: "unknown",
    built_in: "found on the machine",
    operator: "added by hand",
    perProcessor: "per processor"
  },
  de: {
    container: "Container",
    engine: "Container-Engine",
    mail_queue: "Mail-Warteschlange",
    disk: "Platte",
    inodes: "Inodes",
    certificate: "Zertifikat",
    memory: "Speicher",
    load: "Last",
    clock: "Uhr",
    unit: "systemd-Unit",
    units: "Ausgefallene Units",
    postgres: "Postgres",
    connections: "Verbindungen zu Postgres",
    transaction: "Älteste Transaktion",
    dead_rows: "Tote Zeilen",
    replication: "Replikation",
    daemon: "Eigener Daemon",
    backup: "Alter des Backups",
    http: "HTTP",
    tcp: "TCP",
    command: "Befehl",
    pending: "noch nicht geprüft",
    ok: "in Ordnung",
    warning: "Warnung",
    critical: "kritisch",
    unknown: "unbekannt",
    built_in: "auf der Maschine gefunden",
    operator: "von Hand angelegt",
    perProcessor: "je Prozessor"
  }
})

export const checkWord = (word: Kind | Status | Check["origin"]): string => t()[word] ?? word

export const kinds: ReadonlyArray<Kind> = [
  "container",
  "engine",
  "mail_queue",
  "disk",
  "inodes",
  "certificate",
  "memory",
  "load",
  "clock",
  "unit",
  "postgres",
  "connections",
  "transaction",
  "dead_rows",
  "replication",
  "daemon",
  "backup",
  "http",
  "tcp",
  "command"
]

/** Worst first. */
export const statuses: ReadonlyArray<Status> = ["critical", "warning", "unknown", "pending", "ok"]

export const statusTones: Readonly<Record<Status, Tone>> = {
  pending: "quiet",
  ok: "success",
  warning: "warning",
  critical: "error",
  unknown: "quiet"
}

/** A value with its unit; a unit without own words is shown as it is. */
export const valueText = (value: number, unit: string | null): string => {
  const rounded = number(Math.abs(value) >= 100 ? Math.round(value) : Math.round(value * 100) / 100)
  switch (unit) {
    case "bytes":
    case "B":
      return bytes(value)
    case "ms":
    case "milliseconds":
      return duration(value)
    case "s":
    case "seconds":
      return Math.abs(value) < 60 ? `${rounded} s` : longDuration(Math.abs(value) * 1000)
    case "h":
    case "hours":
      return duration(value * 3_600_000)
    case "d":
    case "days":
      return value < 1 ? `${rounded} d` : longDuration(value * 86_400_000)
    case "%":
    case "percent":
      return `${rounded} %`
    case "processes per processor":
      return `${rounded} ${t().perProcessor}`
    case null:
    case "":
      return rounded
    default:
      return `${rounded} ${unit}`
  }
}

/** A further value, such as `size_bytes`, as "size 50 GB". An unknown one keeps its name. */
export const measurementText = (name: string, value: number): string => {
  const { title, unit } = measurement(name)
  return `${title ?? name.replaceAll("_", " ")} ${valueText(value, unit)}`
}

/** The last result in the page's language. */
export const resultText = ({ detail, detail_de }: Pick<Check, "detail" | "detail_de">): string =>
  language.value === "de" ? detail_de : detail

export const checkHref = (id: number): string => `/console/operations/checks/${id}`

/** Worst ones first, then by name. */
export const worstFirst = (checks: ReadonlyArray<Check>): ReadonlyArray<Check> =>
  checks.toSorted((a, b) => statuses.indexOf(a.status) - statuses.indexOf(b.status) || a.key.localeCompare(b.key))
