import { useSignal } from "@preact/signals"
import { call } from "../../lib/Call.ts"
import { useLoad } from "../../lib/Load.ts"
import { useFilters } from "../../parts/Address.ts"
import { Chart } from "../../parts/Chart.tsx"
import { Loading } from "../../parts/Loading.tsx"
import { Page } from "../../parts/Page.tsx"
import { Pager, useTrail } from "../../parts/Pager.tsx"
import { isRangeName } from "../../parts/Ranges.ts"
import { EventList } from "./EventList.tsx"
import { seriesOf } from "./EventTypes.ts"
import { eventWords as t } from "./EventWords.ts"
import { Filter } from "./Filter.tsx"
import { whenOf } from "./When.ts"
import "../../parts/runs.css"
import "./events.css"

/** Events per page. */
const pageSize = 50

/**
 * Reload interval of the chart, longer than that of the list. Unit: milliseconds. Reason: each reload counts the whole
 * range.
 */
const chartEvery = 5_000

/** Event log: list and chart of all events that the user may see, filtered and live. */
export default () => {
  const filters = useFilters({ pattern: "", range: "day", since: "", until: "" })
  const { value } = filters
  const live = useSignal(true)
  const pattern = value.pattern === "" ? "*" : value.pattern
  const keys = [pattern, value.range, value.since, value.until]
  const trail = useTrail(keys)
  const before = trail.value.at(-1)
  // A range that ends in the past receives no new events.
  const follows = live.value && before === undefined && (isRangeName(value.range) || value.until === "")
  const events = useLoad(
    () => {
      const { since, until } = whenOf(value, Date.now())
      return call("GET /api/v1/events", {
        query: {
          limit: pageSize,
          before,
          pattern,
          since,
          ...(isRangeName(value.range) || value.until === "" ? {} : { until })
        }
      })
    },
    [...keys, before, follows],
    follows ? { live: [pattern] } : {}
  )
  const counts = useLoad(
    () => call("GET /api/v1/events/histogram", { query: { pattern, ...whenOf(value, Date.now()) } }),
    [...keys, follows],
    follows ? { every: chartEvery } : {}
  )
  const types = [...new Set((counts.value.value?.buckets ?? []).flatMap((bucket) => Object.keys(bucket.counts)))].sort()
  return (
    <Page title={t().title}>
      <Filter filters={filters} types={types} />
      <section class="card" aria-labelledby="event-chart">
        <div class="card-head">
          <h2 id="event-chart">{t().chart}</h2>
        </div>
        <Loading of={counts}>
          {({ buckets, until }) => (
            <Chart
              label={t().chart}
              at={buckets.map(({ at }) => Date.parse(at))}
              until={Date.parse(until)}
              series={seriesOf(buckets, t().rest)}
            />
          )}
        </Loading>
      </section>
      <section class="card" aria-labelledby="event-list">
        <div class="card-head">
          <h2 id="event-list">{t().list}</h2>
          <label class="follow">
            <input
              type="checkbox"
              name="live"
              checked={live.value}
              onChange={({ currentTarget }) => (live.value = currentTarget.checked)}
            />
            {t().live}
          </label>
        </div>
        <Loading of={events}>
          {({ items, next_before }) => (
            <>
              <EventList events={items} />
              <Pager next={next_before} trail={trail} />
            </>
          )}
        </Loading>
      </section>
    </Page>
  )
}
