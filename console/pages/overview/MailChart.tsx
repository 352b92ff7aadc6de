import { useSignal } from "@preact/signals"
import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { Chart } from "../../parts/Chart.tsx"
import { Loading } from "../../parts/Loading.tsx"
import { RangePicker, rangeTitle } from "../../parts/RangePicker.tsx"
import { type RangeName, rangeOf } from "../../parts/Ranges.ts"

const t = words({
  en: { title: "New mail over time", mail: "new mails" },
  de: { title: "Neue Mail über die Zeit", mail: "neue Mails" }
})

/** Event of a new mail in a watched mailbox. Source: core/contracts/Mail.ts. */
const arrived = "mail.new_message"

/** Reload interval. Unit: milliseconds. Reason: each reload counts the whole range. */
const every = 60_000

/** Number of new mails in the user's mailboxes over time. */
export const MailChart = () => {
  const range = useSignal<RangeName>("day")
  const counts = useLoad(
    () => call("GET /api/v1/events/histogram", { query: { pattern: arrived, ...rangeOf(range.value, Date.now()) } }),
    [range.value],
    { live: [arrived], every }
  )
  return (
    <section class="card" aria-labelledby="mail-chart">
      <div class="card-head">
        <h2 id="mail-chart">{t().title}</h2>
        <div class="choices">
          <RangePicker value={range.value} choose={(name) => (range.value = name)} />
        </div>
      </div>
      <Loading of={counts}>
        {({ buckets, until }) => (
          <Chart
            label={`${t().title}, ${rangeTitle(range.value)}`}
            at={buckets.map(({ at }) => Date.parse(at))}
            until={Date.parse(until)}
            series={[
              {
                name: arrived,
                label: t().mail,
                colour: "info",
                values: buckets.map(({ counts }) => counts[arrived] ?? 0)
              }
            ]}
          />
        )}
      </Loading>
    </section>
  )
}
