/**
 * Rows of checks, and what applies to a check: an operator's values, else its own, else the settings. Pure.
 */
import type { Definition } from "./CheckDefinition.ts"
import type { Kind, Origin, Status } from "./CheckKinds.ts"
import type { CheckState } from "./CheckState.ts"
import type { MonitoringConfig } from "./Settings.ts"
import type { StoredValues } from "./words/Said.ts"

/** Row of `watchdog.monitoring_check`. */
export interface CheckRow {
  readonly id: number
  readonly key: string
  readonly kind: Kind
  readonly origin: Origin
  readonly host: string | null
  readonly found_group: string
  readonly unit: string | null
  readonly direction: "above" | "below"
  readonly found_warning: number | null
  readonly found_critical: number | null
  readonly found_failures: number | null
  readonly found_successes: number | null
  readonly definition: Definition | null
  readonly enabled: boolean
  readonly interval_s: number | null
  readonly timeout_s: number | null
  readonly warning: number | null
  readonly critical: number | null
  readonly failures: number | null
  readonly successes: number | null
  readonly status: Status
  readonly since: Date | null
  readonly checked_at: Date | null
  readonly duration_ms: number | null
  readonly value: number | null
  readonly detail: string
  readonly detail_de: string
  /** Code of the last result; null: not checked yet, or by an earlier version. */
  readonly code: string | null
  readonly code_values: StoredValues
  readonly measurements: Readonly<Record<string, number>>
  readonly seen: Status | null
  readonly streak: number
  readonly alerting: boolean
  readonly run_requested_at: Date | null
}

/** Default time-out of a check. Unit: seconds. Reason: a slower answer is a failure for its users too. */
export const defaultTimeout = 10

export type Defaults = Pick<MonitoringConfig, "interval" | "failures" | "successes">

/** Fields that decide what applies to a check. */
export type Adjustable = Pick<
  CheckRow,
  | "interval_s"
  | "timeout_s"
  | "warning"
  | "critical"
  | "failures"
  | "successes"
  | "found_failures"
  | "found_successes"
  | "found_warning"
  | "found_critical"
  | "direction"
>

/** What applies to the check. */
export const effective = (row: Adjustable, defaults: Defaults) => {
  const interval_s = row.interval_s ?? defaults.interval
  return {
    interval_s,
    timeout_s: row.timeout_s ?? defaultTimeout,
    failures: row.failures ?? row.found_failures ?? defaults.failures,
    successes: row.successes ?? row.found_successes ?? defaults.successes,
    thresholds: {
      direction: row.direction,
      warning: row.warning ?? row.found_warning,
      critical: row.critical ?? row.found_critical
    }
  }
}

export const stateOf = (row: CheckRow): CheckState => ({
  status: row.status,
  since: row.since === null ? null : +row.since,
  seen: row.seen,
  streak: row.streak,
  alerting: row.alerting
})

/** Body of an answer. */
export const view = (row: CheckRow, defaults: Defaults) => ({
  id: row.id,
  key: row.key,
  kind: row.kind,
  origin: row.origin,
  host: row.host,
  group: row.found_group,
  enabled: row.enabled,
  status: row.status,
  since: row.since?.toISOString() ?? null,
  checked_at: row.checked_at?.toISOString() ?? null,
  duration_ms: row.duration_ms,
  value: row.value,
  unit: row.unit,
  detail: row.detail,
  detail_de: row.detail_de === "" ? row.detail : row.detail_de,
  result: row.code === null ? null : { code: row.code, values: row.code_values },
  measurements: row.measurements,
  streak: row.streak,
  alerting: row.alerting,
  ...effective(row, defaults),
  definition: row.definition
})
