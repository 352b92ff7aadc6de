import { words } from "../../../lib/Language.ts"

/** Names of measurements without their units. */
const t = words({
  en: {
    active: "being delivered",
    available: "available",
    connections: "connections",
    containers: "containers",
    daemons: "daemons",
    dead_rows: "dead rows",
    deferred: "waiting for the next attempt",
    full_in: "full in",
    growth_per_hour: "growth in an hour",
    hold: "held",
    incoming: "incoming",
    inodes: "inodes",
    live_rows: "live rows",
    load_1: "load of one minute",
    load_15: "load of 15 minutes",
    load_5: "load of 5 minutes",
    maildrop: "handed in",
    max_connections: "most connections",
    not_connected: "not connected",
    offset: "difference",
    processors: "processors",
    response: "answered in",
    restarts: "restarts",
    round_trip: "time of the question",
    size: "size",
    standbys: "standbys",
    swap_total: "swap space",
    swap_used: "swap space used",
    total: "total",
    unhealthy: "not well",
    used: "used",
    used_inodes: "inodes used"
  },
  de: {
    active: "in Zustellung",
    available: "verfügbar",
    connections: "Verbindungen",
    containers: "Container",
    daemons: "Daemons",
    dead_rows: "tote Zeilen",
    deferred: "warten auf den nächsten Versuch",
    full_in: "voll in",
    growth_per_hour: "Zuwachs je Stunde",
    hold: "angehalten",
    incoming: "eingehend",
    inodes: "Inodes",
    live_rows: "lebende Zeilen",
    load_1: "Last einer Minute",
    load_15: "Last von 15 Minuten",
    load_5: "Last von 5 Minuten",
    maildrop: "eingeliefert",
    max_connections: "höchstens Verbindungen",
    not_connected: "nicht verbunden",
    offset: "Abweichung",
    processors: "Prozessoren",
    response: "Antwort nach",
    restarts: "Neustarts",
    round_trip: "Dauer der Abfrage",
    size: "Größe",
    standbys: "Standbys",
    swap_total: "Auslagerungsspeicher",
    swap_used: "Auslagerungsspeicher belegt",
    total: "gesamt",
    unhealthy: "nicht in Ordnung",
    used: "belegt",
    used_inodes: "Inodes belegt"
  }
})

/** Units in the names of measurements. */
const units = ["bytes", "ms", "s", "percent", "days", "hours"] as const

/** A measurement such as `size_bytes` without its unit, and the unit; `growth_bytes_per_hour` has it inside. */
const parted = (name: string): readonly [bare: string, unit: string | null] => {
  const inside = /^(.*)_(bytes)(_per_hour)$/.exec(name)
  if (inside !== null) return [`${inside[1]}${inside[3]}`, inside[2]!]
  const unit = units.find((one) => name.endsWith(`_${one}`))
  return unit === undefined ? [name, null] : [name.slice(0, -unit.length - 1), unit]
}

/** Name of a measurement in words, with its unit; undefined words for an unknown one. */
export const measurement = (name: string): { readonly title: string | undefined; readonly unit: string | null } => {
  const all: Readonly<Record<string, string>> = t()
  const [bare, unit] = parted(name)
  return { title: Object.hasOwn(all, bare) ? all[bare] : undefined, unit }
}
