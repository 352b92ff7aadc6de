/**
 * State of a check after one more finding. An alert opens after several failed checks in a row and closes after several
 * good ones, so one lost packet is no incident. Pure.
 */
import type { Status } from "./CheckKinds.ts"
import type { Said } from "./words/Said.ts"

/** Result of one check. */
export interface Finding extends Said {
  readonly status: Exclude<Status, "pending">
  readonly value: number | null
  readonly measurements: Readonly<Record<string, number>>
}

export interface CheckState {
  readonly status: Status
  /** Begin of the status. Unit: milliseconds since 1970. */
  readonly since: number | null
  /** Status on which the last checks agree, and which differs from `status`; null: they confirmed it. */
  readonly seen: Status | null
  readonly streak: number
  /** Whether the alert is open. */
  readonly alerting: boolean
}

export interface InARow {
  /** Failed checks in a row that open an alert. At least 1. */
  readonly failures: number
  /** Good checks in a row that close it. At least 1. */
  readonly successes: number
}

export const pending: CheckState = { status: "pending", since: null, seen: null, streak: 0, alerting: false }

type Direction = "good" | "bad" | "unknown"

const directionOf = (status: Status | null): Direction | undefined =>
  status === null || status === "pending"
    ? undefined
    : status === "ok"
      ? "good"
      : status === "unknown"
        ? "unknown"
        : "bad"

/**
 * - A failed check opens an alert at the `failures`-th one in a row; a good one closes it at the `successes`-th.
 * - While the alert is open, a worse result counts at once, a milder one after `successes` checks.
 * - A check that finds nothing out neither opens nor closes an alert. After `failures` of them the status is `unknown`.
 */
export const decide = (
  before: CheckState,
  found: Exclude<Status, "pending">,
  at: number,
  limits: InARow
): CheckState => {
  const settled = (status: Status, alerting: boolean): CheckState => ({
    status,
    since: status === before.status ? before.since : at,
    seen: null,
    streak: 0,
    alerting
  })
  const streak = before.seen !== null && directionOf(before.seen) === directionOf(found) ? before.streak + 1 : 1
  const counting: CheckState = { ...before, seen: found, streak }
  if (found === "unknown") {
    if (before.status === "unknown") return settled("unknown", before.alerting)
    return streak >= limits.failures ? settled("unknown", before.alerting) : counting
  }
  if (!before.alerting) {
    if (found === "ok") return settled("ok", false)
    return streak >= limits.failures ? settled(found, true) : counting
  }
  if (found === "ok") return streak >= limits.successes ? settled("ok", false) : counting
  // `unknown` hides how bad it was, so the finding counts.
  if (found === before.status || found === "critical" || before.status === "unknown") return settled(found, true)
  const milder = before.seen === "warning" ? before.streak + 1 : 1
  return milder >= limits.successes ? settled(found, true) : { ...before, seen: found, streak: milder }
}
