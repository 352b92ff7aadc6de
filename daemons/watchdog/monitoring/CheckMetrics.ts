/** Metrics of checks for Prometheus: one series of each metric for each check, until the check is removed. */
import * as Metrics from "#core/metrics/Metrics.ts"
import type { RunningCheck } from "./CheckActor.ts"
import type { Status } from "./CheckKinds.ts"

/** Value of `check_status`. */
const numbers: Readonly<Record<Status, number>> = { pending: -1, ok: 0, warning: 1, critical: 2, unknown: 3 }

const daemon = "watchdog"
const labels = ["key", "kind", "group"] as const

const status = Metrics.gauge("check_status", {
  daemon,
  help: "Status of a check: 0 ok, 1 warning, 2 critical, 3 unknown, -1 not checked yet.",
  labels
})
const alerting = Metrics.gauge("check_alerting", { daemon, help: "Whether a check reports an alert: 0 or 1.", labels })
const lastRun = Metrics.gauge("check_last_run_timestamp_seconds", {
  daemon,
  help: "Time of the last run of a check, in seconds since 1970.",
  labels
})
const value = Metrics.gauge("check_value", {
  daemon,
  help: "Value of the last run of a check, in the unit of its label.",
  labels: [...labels, "unit"]
})

/** Adds the series of a check. The result removes them. */
export const register = (running: RunningCheck): (() => void) => {
  const { group, key, kind, unit } = running.check
  const its = { key, kind, group }
  const removals = [
    status.read(its, () => numbers[running.state.status]),
    alerting.read(its, () => +running.state.alerting),
    lastRun.read(its, () => (running.checkedAt ?? 0) / 1_000),
    value.read({ ...its, unit: unit ?? "" }, () => running.value ?? NaN)
  ]
  return () => {
    for (const remove of removals) remove()
  }
}
