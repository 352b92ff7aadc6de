/** Incidents and what a report changes of them. Pure. All times in epoch milliseconds. */
import { type CloseReason, maxDetail, maxName, maxSummary, type Severity } from "./Words.ts"

/** What a check, a backup or a restart found. */
export interface AlertReport {
  /** Permanent name of what is checked: `disk /var`, `backup nightly`. At most 200 characters. */
  readonly key: string
  /** Name of the cause that alerts share, such as a host or a container. At most 200 characters. */
  readonly group: string
  readonly severity: Severity
  /** One line in English, at most 500 characters; longer text is cut. */
  readonly summary: string
  /** The same in German. Default: `summary`. */
  readonly summaryDe?: string
  /** More lines for the list and the mail, at most 4,000 characters; longer text is cut. No secrets. */
  readonly detail?: string
  /** The same in German. Default: `detail`. */
  readonly detailDe?: string
  /** Whether it fails now. Hysteresis is up to the caller: each change of this value is a change of the incident. */
  readonly failing: boolean
  /** Time of the finding. */
  readonly at: Date
}

/** From opening to recovery. */
export interface Incident {
  readonly id: string
  readonly key: string
  readonly group: string
  readonly severity: Severity
  readonly summary: string
  /** Null or absent: the English text. The file of an outage of an earlier version has none. */
  readonly summaryDe?: string | null
  readonly detail: string | null
  readonly detailDe?: string | null
  readonly openedAt: number
  readonly closedAt: number | null
  readonly closeReason: CloseReason | null
  readonly flapping: boolean
  /** Changes since it opened, while it flaps. */
  readonly changes: number
  /** Since when a flapping one succeeds again; null: it fails. */
  readonly recoveringSince: number | null
  /** When people were first told; null: not yet. */
  readonly toldAt: number | null
  /** When people were last told. */
  readonly lastToldAt: number | null
  readonly repeats: number
  readonly acknowledgedAt: number | null
  /** Nothing is left to tell. */
  readonly settled: boolean
}

/** A closed incident of the same key. */
export type Past = Pick<Incident, "openedAt" | "closedAt">

export interface FlapRules {
  /** Number of changes within the window from which an alert flaps. 0: none does. */
  readonly flapChanges: number
  /** Unit: milliseconds. */
  readonly flapWindow: number
}

export type Change =
  | { readonly _tag: "None" }
  /** `Opened`: a new row. `Changed`: the same incident. `Closed`: it is over. */
  | { readonly _tag: "Opened" | "Changed" | "Closed"; readonly incident: Incident }

const none: Change = { _tag: "None" }

/** Text in one line of bounded length. */
export const oneLine = (text: string, maximum: number): string => {
  const flat = text
    .toWellFormed()
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim()
  return flat.length <= maximum ? flat : `${flat.slice(0, maximum - 1).toWellFormed()}…`
}

/** Text of bounded length without control characters except line feeds. */
const lines = (text: string, maximum: number): string =>
  text
    .slice(0, maximum)
    .toWellFormed()
    .replace(/\r\n?/g, "\n")
    .replace(/(?!\n)\p{Cc}/gu, " ")

/** Texts of a report as they are stored. */
const textsOf = ({ detail, detailDe, summary, summaryDe }: AlertReport) => ({
  summary: oneLine(summary, maxSummary),
  summaryDe: summaryDe === undefined ? null : oneLine(summaryDe, maxSummary),
  detail: detail === undefined ? null : lines(detail, maxDetail),
  detailDe: detailDe === undefined ? null : lines(detailDe, maxDetail)
})

/** Key or group as it is stored. */
export const nameOf = (text: string): string => oneLine(text, maxName)

/** Applies a report. `open`: the open incident of the key; `past`: closed ones within the window. */
export const applyReport = (
  open: Incident | undefined,
  past: ReadonlyArray<Past>,
  report: AlertReport,
  rules: FlapRules,
  newId: string
): Change => {
  const at = report.at.getTime()
  if (open === undefined) return report.failing ? opened(past, report, rules, newId) : none
  if (!report.failing) {
    if (!open.flapping) return closed(open, at, "recovered")
    return open.recoveringSince === null
      ? { _tag: "Changed", incident: { ...open, recoveringSince: at, changes: open.changes + 1 } }
      : none
  }
  const relapsed = open.recoveringSince === null ? open : { ...open, recoveringSince: null, changes: open.changes + 1 }
  const incident = { ...relapsed, severity: report.severity, ...textsOf(report) }
  return incident.recoveringSince === open.recoveringSince &&
    incident.severity === open.severity &&
    incident.summary === open.summary &&
    incident.detail === open.detail
    ? none
    : { _tag: "Changed", incident }
}

const opened = (past: ReadonlyArray<Past>, report: AlertReport, rules: FlapRules, id: string): Change => {
  const at = report.at.getTime()
  const from = at - rules.flapWindow
  const changes = past.reduce(
    (sum, { closedAt, openedAt }) => sum + (openedAt > from ? 1 : 0) + (closedAt !== null && closedAt > from ? 1 : 0),
    1
  )
  const flapping = rules.flapChanges > 0 && changes >= rules.flapChanges
  return {
    _tag: "Opened",
    incident: {
      id,
      key: nameOf(report.key),
      group: nameOf(report.group),
      severity: report.severity,
      ...textsOf(report),
      openedAt: at,
      closedAt: null,
      closeReason: null,
      flapping,
      changes: flapping ? changes : 0,
      recoveringSince: null,
      toldAt: null,
      lastToldAt: null,
      repeats: 0,
      acknowledgedAt: null,
      settled: false
    }
  }
}

/** Closes an incident. A clock that was set back does not let it end before it began. */
export const closed = (incident: Incident, at: number, closeReason: CloseReason): Change => ({
  _tag: "Closed",
  incident: { ...incident, closedAt: Math.max(at, incident.openedAt), closeReason }
})

/** Closes a flapping incident that has succeeded for the whole window. */
export const calmed = (incident: Incident, rules: FlapRules, now: number): Change =>
  incident.closedAt === null && incident.recoveringSince !== null && now - incident.recoveringSince >= rules.flapWindow
    ? closed(incident, incident.recoveringSince, "recovered")
    : none
