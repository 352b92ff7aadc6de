/** A feature that reports what a test wants, as other features of the daemon do. */
import { Effect, Layer } from "effect"
import * as Feature from "#core/daemon/Feature.ts"
import { Alerts, alerts, type AlertReport } from "#daemons/watchdog/alerting/Exports.ts"
import { alertingDaemon } from "./Watch.ts"

/** A daemon with alerting and a reporter. Its `alerts` is there once the daemon is built. */
export const reportingDaemon = () => {
  let found: Alerts["Service"] | undefined
  const reporter = Feature.make({
    layer: Layer.effectDiscard(
      Effect.map(Alerts, (service) => {
        found = service
      })
    ).pipe(Layer.provide(alerts))
  })
  return { daemon: alertingDaemon(reporter), alerts: () => found! }
}

export const failing = (key: string, more: Partial<AlertReport> = {}): AlertReport => ({
  key,
  group: "host a",
  severity: "critical",
  summary: `${key} is broken`,
  failing: true,
  at: new Date(),
  ...more
})

export const well = (key: string, more: Partial<AlertReport> = {}) => failing(key, { failing: false, ...more })
