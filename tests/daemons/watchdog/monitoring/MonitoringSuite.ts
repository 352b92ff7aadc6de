/** The monitoring alone in a daemon, with short intervals, few checks, and alerts that are only recorded. */
import { Effect, Layer } from "effect"
import * as Daemon from "#core/daemon/Daemon.ts"
import { type AlertReport, Alerts } from "#daemons/watchdog/alerting/Exports.ts"
import { kinds } from "#daemons/watchdog/monitoring/CheckKinds.ts"
import { monitoringWith } from "#daemons/watchdog/monitoring/Feature.ts"
import { fakeUsers } from "#support/FakeUsers.ts"
import type { FreshDatabase } from "#support/Postgres.ts"
import { startSuite } from "#support/TestSuite.ts"
import { untilWithin } from "#support/Within.ts"

/** Name of the machine in tests. */
export const host = "here"

/** Length of a second, and interval of the checks. Unit: milliseconds. */
const second = 200

/** Limit of one wait. Unit: seconds. Reason: far above the time that a loaded machine needs. */
const patience = 120

/** What the alerts were told, in order: `opened KEY`, `closed KEY`, `removed KEY`; `without` when Postgres was away. */
export const recorder = () => {
  const told: Array<{ readonly what: string; readonly key: string; readonly report?: AlertReport }> = []
  const words = ({ failing }: AlertReport) => (failing ? "opened" : "closed")
  const tell = (report: AlertReport, prefix = "") =>
    Effect.sync(() => void told.push({ what: `${prefix}${words(report)}`, key: report.key, report }))
  const layer = Layer.succeed(Alerts, {
    report: (report) => tell(report),
    reportWithoutDatabase: (report) => tell(report, "without "),
    tell: (report) => tell(report),
    remove: (key) => Effect.sync(() => void told.push({ what: "removed", key }))
  })
  const of = (key: string) => told.filter((one) => one.key === key).map(({ what }) => what)
  return { told, layer, of }
}

export interface Options {
  readonly only?: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
  readonly database?: FreshDatabase
  /** Runs in place of the monitoring alone; nothing is recorded then. */
  readonly whole?: Daemon.Daemon
}

/** `only`: kinds of built-in checks that run; none by default. */
export const startMonitoring = Effect.fnUntraced(function* ({ database, env, only = [], whole }: Options = {}) {
  const alerts = recorder()
  const daemon =
    whole ??
    Daemon.make({
      name: "watchdog",
      title: "Watchdog",
      description: "Monitoring alone",
      port: 8115,
      features: [monitoringWith(alerts.layer)]
    })
  const suite = yield* startSuite({
    daemons: [daemon],
    verifier: fakeUsers,
    ...(database === undefined ? {} : { database }),
    env: {
      SIGNALBOX_MONITOR_HOST: host,
      SIGNALBOX_MONITOR_INTERVAL: "1",
      SIGNALBOX_WATCHDOG_SECOND_MS: String(second),
      SIGNALBOX_MONITOR_WITHOUT: kinds.filter((kind) => !only.includes(kind)).join(","),
      ...env
    }
  })
  const send = (method: string, path: string, body?: unknown, who = "user:1:*") =>
    suite.call(method, `/api/v1/monitoring/checks${path}`, {
      headers: { authorization: `Bearer ${who}` },
      ...(body === undefined ? {} : { body })
    })
  const all = Effect.map(send("GET", "?limit=200"), ({ json }) => (json?.items ?? []) as ReadonlyArray<any>)
  const check = (key: string) => Effect.map(all, (items) => items.find((item) => item.key === key))
  const until = (what: string, look: Effect.Effect<boolean>) => untilWithin(patience, what, look)
  return {
    ...suite,
    alerts,
    send,
    all,
    check,
    until,
    add: (body: object) => Effect.map(send("POST", "", body), ({ json }) => json),
    /** Waits until the check has this status. */
    shows: (key: string, status: string) =>
      until(
        `${key} is ${status}`,
        Effect.map(check(key), (found) => found?.status === status)
      ),
    /** Waits until the alerts were told exactly this of the check. */
    hears: (key: string, ...what: ReadonlyArray<string>) =>
      until(
        `${key}: ${what.join(", ")}`,
        Effect.sync(() => alerts.of(key).join() === what.join())
      ),
    /** Waits until the check ran `times` more times. */
    runs: Effect.fnUntraced(function* (key: string, times: number) {
      let last: string | undefined
      let left = times + 1
      yield* until(
        `${key} runs ${times} times`,
        Effect.map(check(key), (found) => {
          if (found?.checked_at !== last) left--
          last = found?.checked_at
          return left <= 0
        })
      )
    })
  }
})
