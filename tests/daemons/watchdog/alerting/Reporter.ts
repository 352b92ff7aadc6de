/** A feature that reports what a test wants, as other features of the daemon do. */
import { Effect, Layer } from "effect"
import * as Feature from "#core/daemon/Feature.ts"
import { SqlClient } from "effect/sql"
import { Alerts, alerts, type AlertReport } from "#daemons/watchdog/alerting/Exports.ts"
import { alertingDaemon } from "./Watch.ts"

/** A daemon with alerting and a reporter. Its `alerts` is there once the daemon is built. */
export const reportingDaemon = () => {
  let found: Alerts["Service"] | undefined
  let together: ((reports: ReadonlyArray<AlertReport>) => Effect.Effect<void, unknown>) | undefined
  const reporter = Feature.make({
    layer: Layer.effectDiscard(
      Effect.gen(function* () {
        const service = yield* Alerts
        const sql = yield* SqlClient.SqlClient
        found = service
        together = (reports) => sql.withTransaction(Effect.forEach(reports, service.report, { discard: true }))
      })
    ).pipe(Layer.provide(alerts))
  })
  return {
    daemon: alertingDaemon(reporter),
    alerts: () => found!,
    /** In one transaction. */ together: (reports: ReadonlyArray<AlertReport>) => together!(reports)
  }
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
