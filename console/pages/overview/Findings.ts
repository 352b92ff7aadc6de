/** What is not well, from the daemons that know it: incidents, alerts, alarms, daemons, mailboxes. */
import { call } from "../../lib/Call.ts"
import { language, words } from "../../lib/Language.ts"
import { type Loaded, useLoad } from "../../lib/Load.ts"
import { isProvider, may } from "../../lib/Me.ts"
import type { Problem } from "../../lib/Problem.ts"
import type { Tone } from "../../parts/Badge.tsx"
import { withLocalTimes } from "../daemons/Figures.ts"
import { askTroubled, type Fleet, type Troubled } from "../daemons/Fleet.ts"

const t = words({
  en: { reached: (delivered: number, all: number) => `${delivered} of ${all} targets reached` },
  de: { reached: (delivered: number, all: number) => `${delivered} von ${all} Zielen erreicht` }
})

export interface Finding {
  readonly key: string
  readonly kind: "incident" | "alert" | "alarm" | "daemon" | "mailbox"
  readonly title: string
  readonly reason: string | null
  /** ISO 8601; null when unknown. */
  readonly at: string | null
  readonly href: string
  readonly tone?: Tone
}

export interface FindingGroup {
  /** Page with all findings of the group. */
  readonly href: string
  readonly items: ReadonlyArray<Finding>
  /** Number of further findings on that page; at least this many. */
  readonly hidden: number
}

/** Findings of one kind. Reason: the others stay visible. */
const each = 5

/** Asked for, to count further ones. */
const asked = 50

/** Interval of daemons and mailboxes, which no event reports. Unit: milliseconds. */
const every = 15_000

const nothing = Promise.resolve({ items: [] })

const group = (href: string, all: ReadonlyArray<Finding>): FindingGroup => ({
  href,
  items: all.slice(0, each),
  hidden: Math.max(0, all.length - each)
})

const daemonFinding = ({ name, reasons, status }: Troubled): Finding => ({
  key: name,
  kind: "daemon",
  title: name,
  reason: reasons.length === 0 ? null : withLocalTimes(reasons.join(" · ")),
  at: null,
  href: `/console/daemons?open=${encodeURIComponent(name)}`,
  tone: status === "down" ? "error" : "warning"
})

/** States of the daemons, for users who may see them. */
export const useFleet = (): Loaded<Fleet | undefined> =>
  useLoad(() => (may("system.read") ? askTroubled() : Promise.resolve(undefined)), [], { every })

/** Loads all findings that the user may see. `isComplete`: every source has answered. */
export const useFindings = (fleet: Loaded<Fleet | undefined>) => {
  const seesMachines = isProvider() && may("system.read")
  const daemons = fleet.value.value?.daemons ?? []
  const has = (daemon: string) => seesMachines && daemons.some(({ name }) => name === daemon)
  const incidents = useLoad(
    () =>
      has("status-checker")
        ? call("GET /api/v1/admin/incidents", { query: { state: "open", limit: asked } })
        : (nothing as never),
    [has("status-checker")],
    { live: ["status.*"], every }
  )
  const alerts = useLoad(
    () =>
      has("watchdog")
        ? call("GET /api/v1/monitoring/alerts", { query: { state: "open", limit: asked } })
        : (nothing as never),
    [has("watchdog")],
    { live: ["monitoring.alert.*"], every }
  )
  const alarms = useLoad(
    () =>
      may("workflows.manage")
        ? call("GET /api/v1/workflows/runs", { query: { workflow: "alarm", acknowledged: "false", limit: asked } })
        : (nothing as never),
    [],
    { live: ["alarm.*"] }
  )
  const mailboxes = useLoad(
    () =>
      may("webmail.use")
        ? call("GET /api/v1/mail/webmail/watcher/status", { query: { limit: asked } })
        : (nothing as never),
    [],
    { every }
  )
  const all: ReadonlyArray<Loaded<unknown>> = [fleet, incidents, alerts, alarms, mailboxes]
  const groups: ReadonlyArray<FindingGroup> = [
    group(
      "/console/operations/alerts",
      (incidents.value.value?.items ?? []).map(({ created_at, id, title, title_en }) => ({
        key: id,
        kind: "incident",
        title: language.value === "de" ? title : title_en,
        reason: null,
        at: created_at,
        href: "/console/operations/alerts"
      }))
    ),
    group(
      "/console/operations/alerts",
      (alerts.value.value?.items ?? []).map((alert) => ({
        key: alert.id,
        kind: "alert",
        title: language.value === "de" ? alert.summary_de : alert.summary,
        reason: (language.value === "de" ? alert.detail_de : alert.detail)?.split("\n", 1)[0] ?? null,
        at: alert.opened_at,
        href: `/console/operations/alerts/${alert.id}`,
        tone: alert.severity === "critical" ? "error" : "warning"
      }))
    ),
    group(
      "/console/alarms?acknowledged=false",
      (alarms.value.value?.items ?? []).map((run) => ({
        key: run.id,
        kind: "alarm",
        title: run.title,
        reason: run.reason ?? (run.target_count === 0 ? null : t().reached(run.delivered_count, run.target_count)),
        at: run.received_at,
        href: `/console/alarms/${run.id}`,
        tone: run.state === "failed" ? "error" : "warning"
      }))
    ),
    group("/console/daemons", (fleet.value.value?.troubled ?? []).map(daemonFinding)),
    group(
      "/console/mailboxes",
      (mailboxes.value.value?.items ?? [])
        .filter(({ mode }) => mode === "failed")
        .map(({ account, id, last_failure }) => ({
          key: String(id),
          kind: "mailbox",
          title: account,
          reason: last_failure,
          at: null,
          href: "/console/mailboxes"
        }))
    )
  ]
  const problem: Problem | undefined = all.map(({ problem }) => problem.value).find((one) => one !== undefined)
  return {
    groups,
    problem,
    isComplete: all.every(({ loading, value }) => !loading.value || value.value !== undefined),
    reload: () => all.forEach(({ reload }) => reload())
  }
}
