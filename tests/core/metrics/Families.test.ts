/** All metrics of all daemons: names, labels and help texts, and the list for readers. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { type Family, families } from "#core/metrics/Metrics.ts"
import "#core/gateway/make.ts"
import "#daemons/Suite.ts"
import { dashboardFile, list } from "../../../scripts/metrics.ts"

const root = join(import.meta.dirname, "../../..")

/** Without those of Metrics.test.ts, which may run in the same process. */
const declared = () => families().filter(({ name }) => !name.startsWith("test_"))

/** Units at the end of a name. Source: Prometheus, Metric and label naming. */
const unit = /_(?:seconds|bytes|ratio)$/

/** Gauges that count things, or whose unit is a label or a word of a check. */
const withoutUnit = new Set(
  (
    "actors alerts_open build_info check_alerting check_status check_value jobs_in_work jobs_waiting mailboxes " +
    "process_open_fds"
  ).split(" ")
)

/** What is wrong with a family. */
const problems = ({ help, labels, name, type }: Family): ReadonlyArray<string> =>
  [
    [/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(name), "its name is not in snake case"],
    [(type === "counter") === name.endsWith("_total"), "exactly counters end in _total"],
    [type !== "histogram" || unit.test(name), "a histogram ends in a unit"],
    [type !== "gauge" || unit.test(name) || withoutUnit.has(name), "a gauge ends in a unit"],
    [!/_(?:ms|milliseconds|minutes|kilobytes)(?:_|$)/.test(name), "it uses a unit other than seconds and bytes"],
    [!/_(?:count|sum|bucket)$/.test(name), "it ends like a series of a histogram"],
    [labels.includes("daemon"), "it has no label daemon"],
    [new Set(labels).size === labels.length, "a label occurs twice"],
    [labels.every((label) => /^[a-z][a-z0-9_]*$/.test(label) && label !== "le"), "a label has an invalid name"],
    [/^[A-Z].*\.$/.test(help) && help.length <= 120, "its help is no sentence of at most 120 characters"]
  ].flatMap(([fine, problem]) => (fine === true ? [] : [`${name}: ${String(problem)}`]))

describe("metrics", () => {
  it("follow the naming rules of Prometheus and have help texts", () => {
    expect(declared().length).toBeGreaterThan(40)
    expect(declared().flatMap(problems)).toEqual([])
  })

  it("are listed in docs/metrics.md; otherwise run npm run metrics", () => {
    expect(readFileSync(join(root, "docs/metrics.md"), "utf8")).toBe(list(declared()))
  })

  it("have the dashboard that its source describes; otherwise run npm run metrics", () => {
    expect(readFileSync(join(root, "config/grafana/signalbox.json"), "utf8")).toBe(dashboardFile())
  })

  it("finds each broken rule", () => {
    const broken: Family = { name: "Bad_ms_count", type: "counter", help: "no sentence", labels: ["le", "le"] }
    expect(problems(broken)).toHaveLength(8)
  })
})
