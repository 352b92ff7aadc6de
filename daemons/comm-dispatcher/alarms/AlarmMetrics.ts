/** Metrics of alarms: finished runs, attempts, and the time until a target is reached. */
import * as Metrics from "#core/metrics/Metrics.ts"
import { type AlarmFinished, alarmReceived } from "#core/contracts/Alarm.ts"
import type { Outcome } from "../channels/Exports.ts"
import { channels, severities } from "../vocabulary/Exports.ts"

const daemon = "comm-dispatcher"

/** Upper bounds of the buckets. Unit: seconds. Reason: a webhook is called at once, a call is repeated for an hour. */
const bounds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600]

const finished = Metrics.counter("alarms_total", {
  daemon,
  help: "Alarms and direct requests that finished, by outcome and severity.",
  labels: ["outcome", "severity"]
})
const attempts = Metrics.counter("alarm_attempts_total", {
  daemon,
  help: "Attempts to reach a target of an alarm or direct request, by channel and outcome.",
  labels: ["channel", "outcome"]
})
const delivery = Metrics.histogram("alarm_delivery_duration_seconds", {
  daemon,
  help: "Time from the receipt of an alarm to the delivery to a target, by channel. Direct requests are left out.",
  labels: ["channel"],
  bounds
})

/** Creates the series of all channels, so that rates include the first event. */
export const prepare = (): void => {
  for (const channel of channels) {
    for (const outcome of ["delivered", "failed", "uncertain"]) attempts.of({ channel, outcome })
    delivery.of({ channel })
  }
  for (const outcome of ["delivered", "partly_delivered", "failed", "uncertain", "acknowledged"])
    for (const severity of severities) finished.of({ outcome, severity })
}

/** Counts runs that finish. Counts them again when their transaction is repeated, which a lost database causes. */
export const countFinished = (runs: ReadonlyArray<typeof AlarmFinished.data.Type>): void => {
  for (const { severity, state } of runs) finished.add({ outcome: state, severity: severity ?? "none" })
}

/** Counts an attempt whose outcome is stored. */
export const countAttempt = (
  target: { readonly channel: string; readonly event_type: string; readonly received_at: Date },
  outcome: Outcome
): void => {
  const uncertain = outcome._tag === "Retryable" && outcome.reached === "perhaps"
  const word = outcome._tag === "Delivered" ? "delivered" : uncertain ? "uncertain" : "failed"
  attempts.add({ channel: target.channel, outcome: word })
  if (outcome._tag === "Delivered" && target.event_type === alarmReceived)
    delivery.of({ channel: target.channel }).observe((Date.now() - target.received_at.getTime()) / 1_000)
}
