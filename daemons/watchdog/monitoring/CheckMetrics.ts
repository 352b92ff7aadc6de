/** Metrics of checks for Prometheus: one series of each metric for each check, until the check is removed. */
import { Context, Metric } from "effect"
import { constVoid } from "effect/Function"
import type { Status } from "./CheckKinds.ts"
import type { RunningCheck } from "./CheckActor.ts"

/** Value of `watchdog_check_status`. */
const numbers: Readonly<Record<Status, number>> = { pending: -1, ok: 0, warning: 1, critical: 2, unknown: 3 }

const gauges = [
  [
    "watchdog_check_status",
    "Status of a check: 0 ok, 1 warning, 2 critical, 3 unknown, -1 not checked yet",
    (running: RunningCheck) => numbers[running.state.status]
  ],
  ["watchdog_check_alerting", "Whether a check reports an alert", (running: RunningCheck) => +running.state.alerting],
  ["watchdog_check_value", "Value of the last check", (running: RunningCheck) => running.value ?? NaN],
  [
    "watchdog_check_last_run_seconds",
    "Time of the last check, in seconds since 1970",
    (running: RunningCheck) => (running.checkedAt ?? 0) / 1_000
  ]
] as const

/** Adds the series of a check. The result removes them. */
export const register = (running: RunningCheck): (() => void) => {
  const { group, key, kind, unit } = running.check
  const removals = gauges.map(([name, description, read]) => {
    const gauge = Metric.gauge(name, {
      description,
      attributes: { key, kind, group, ...(name === "watchdog_check_value" && unit !== null ? { unit } : {}) }
    })
    return Metric.registerUnsafe(gauge, Context.empty(), {
      get: () => ({ value: read(running) }),
      update: constVoid,
      modify: constVoid
    })
  })
  return () => {
    for (const { remove } of removals) remove()
  }
}
