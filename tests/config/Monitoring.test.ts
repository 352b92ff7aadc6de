/** config/prometheus and config/grafana, with Debian's Prometheus and a running suite. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect } from "vitest"
import { daemons } from "#daemons/Suite.ts"
import { until } from "#support/Frame.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import * as Prometheus from "#support/peers/Prometheus.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { startSuite } from "#support/TestSuite.ts"
import { untilWithin } from "#support/Within.ts"
import { expressions } from "../../scripts/grafana/Dashboard.ts"

const rules = join(import.meta.dirname, "../../config/prometheus/signalbox.rules.yml")

/** An expression with the values that Grafana puts in; the test waits only for seconds. */
const filled = (expression: string): string =>
  expression.replaceAll("$daemon", ".*").replaceAll("$__rate_interval", "30s").replaceAll("[1h]", "[30s]")

describePeers(["prometheus"], "monitoring", () => {
  it.live("promtool accepts the rules", () =>
    Effect.gen(function* () {
      expect(yield* Prometheus.promtool(["check", "rules", rules])).toMatch(/SUCCESS: \d+ rules found/)
    })
  )

  it.live(
    "promtool accepts the metrics, and each query and rule of ours is evaluated on them",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const suite = yield* startSuite({ daemons, gateway: true })
          const token = yield* suite.token
          const read = Effect.map(suite.call("GET", "/metrics", { token }), ({ text }) => text)
          expect(yield* Prometheus.promtool(["check", "metrics"], yield* read)).toBe("")

          const { host } = new URL(suite.base())
          const prometheus = yield* Prometheus.make({ target: host, token, rules: [rules] })
          // Two scrapes, so that rates have a value.
          yield* until(
            "two scrapes",
            Effect.map(
              prometheus.query("count_over_time(signalbox_build_info[1m])"),
              ([found]) => Number(found?.value[1] ?? 0) >= 2
            ),
            60
          )
          // Some parts of the suite have no figures yet at the first scrapes.
          let empty = expressions
          yield* untilWithin(
            60,
            () => `values of ${empty.join("\n")}`,
            Effect.gen(function* () {
              empty = yield* Effect.filter(empty, (expression) =>
                Effect.map(prometheus.query(filled(expression)), ({ length }) => length === 0)
              )
              return empty.length === 0
            })
          )

          yield* until(
            "all rules evaluated",
            Effect.map(prometheus.rules, (loaded) => loaded.every(({ health }) => health === "ok")),
            60
          )
          expect((yield* prometheus.rules).length).toBeGreaterThan(10)
        })
      ),
    180_000
  )

  it.live("the rules fire when they should, and not before", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryDirectory()
      const down = (at: string, fires: boolean) => ({
        alertname: "SignalboxDown",
        eval_time: at,
        exp_alerts: fires
          ? [
              {
                exp_labels: { job: "signalbox", instance: "a", severity: "critical" },
                exp_annotations: { summary: "a does not answer /metrics" }
              }
            ]
          : []
      })
      const waiting = (at: string, fires: boolean) => ({
        alertname: "SignalboxJobsWait",
        eval_time: at,
        exp_alerts: fires
          ? [
              {
                exp_labels: { daemon: "d", queue: "q", severity: "warning" },
                exp_annotations: { summary: "The oldest job of q waits for 6m 40s" }
              }
            ]
          : []
      })
      const tests = {
        rule_files: [rules],
        tests: [
          {
            interval: "1m",
            input_series: [
              { series: 'up{job="signalbox",instance="a"}', values: "1 1 0x20" },
              { series: 'signalbox_job_oldest_age_seconds{daemon="d",queue="q"}', values: "200x3 400x20" }
            ],
            alert_rule_test: [down("3m", false), down("6m", true), waiting("5m", false), waiting("12m", true)]
          }
        ]
      }
      // JSON is YAML.
      writeFileSync(join(folder, "test.yml"), JSON.stringify(tests))
      expect(yield* Prometheus.promtool(["test", "rules", join(folder, "test.yml")])).toMatch(/SUCCESS/)
    }).pipe(Effect.scoped)
  )
})
