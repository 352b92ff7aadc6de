import { useSignal } from "@preact/signals"
import { call } from "../lib/Call.ts"
import type { Answer } from "../lib/Endpoints.ts"
import { words } from "../lib/Language.ts"
import { useLoad } from "../lib/Load.ts"
import { Chart } from "./Chart.tsx"
import type { Colour, Series } from "./ChartProps.ts"
import { present } from "./Counts.ts"
import { Loading } from "./Loading.tsx"
import { RangePicker, rangeTitle } from "./RangePicker.tsx"
import { type RangeName, rangeOf } from "./Ranges.ts"
import { runStates, severities, stateTitle } from "./RunBadges.tsx"

type Buckets = Answer<"GET /api/v1/workflows/statistics">["buckets"]

const t = words({
  en: { title: "Runs over time", by: "By", state: "state", severity: "severity", none: "without" },
  de: { title: "Läufe über die Zeit", by: "Nach", state: "Zustand", severity: "Stufe", none: "ohne" }
})

const stateColours: Readonly<Record<string, Colour>> = {
  running: "c5",
  done: "success",
  delivered: "success",
  partly_delivered: "warning",
  failed: "error",
  uncertain: "c2",
  acknowledged: "info",
  rejected: "c4",
  duplicate: "quiet",
  acknowledgement: "c6"
}
const severityColours: Readonly<Record<string, Colour>> = {
  ALERT: "error",
  CRITICAL: "c2",
  WARNING: "warning",
  INFO: "info"
}

const seriesOf = (buckets: Buckets, by: "state" | "severity"): ReadonlyArray<Series> => {
  const counts = buckets.map((bucket) => (by === "state" ? bucket.states : bucket.severities))
  return present(counts, by === "state" ? runStates : severities).map((name) => ({
    name,
    label:
      by === "state"
        ? (stateTitle(name as (typeof runStates)[number]) ?? name)
        : (severities as ReadonlyArray<string>).includes(name)
          ? name
          : t().none,
    colour: (by === "state" ? stateColours : severityColours)[name] ?? "quiet",
    values: counts.map((count) => count[name] ?? 0)
  }))
}

/** Number of runs over time, by state or severity. */
export const RunChart = ({
  title = t().title,
  workflow
}: {
  readonly workflow?: string | undefined
  /** Default: runs over time. */
  readonly title?: string
}) => {
  const range = useSignal<RangeName>("day")
  const by = useSignal<"state" | "severity">("state")
  const statistics = useLoad(
    () =>
      call("GET /api/v1/workflows/statistics", {
        query: { ...rangeOf(range.value, Date.now()), workflow: workflow === "" ? undefined : workflow }
      }),
    [range.value, workflow],
    { live: ["alarm.*"], every: 60_000 }
  )
  return (
    <section class="card" aria-labelledby="run-chart">
      <div class="card-head">
        <h2 id="run-chart">{title}</h2>
        <div class="choices">
          <label>
            {t().by}
            <select
              value={by.value}
              onChange={({ currentTarget }) => (by.value = currentTarget.value === "severity" ? "severity" : "state")}
            >
              <option value="state">{t().state}</option>
              <option value="severity">{t().severity}</option>
            </select>
          </label>
          <RangePicker value={range.value} choose={(name) => (range.value = name)} />
        </div>
      </div>
      <Loading of={statistics}>
        {({ buckets, until }) => (
          <Chart
            label={`${title}, ${rangeTitle(range.value)}`}
            at={buckets.map(({ at }) => Date.parse(at))}
            until={Date.parse(until)}
            series={seriesOf(buckets, by.value)}
          />
        )}
      </Loading>
    </section>
  )
}
