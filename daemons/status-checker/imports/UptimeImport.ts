/** Imports UPTIME_FILE into the shown days. */
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { dayLength, dayOf, noShare, type Share } from "../checks/Exports.ts"
import { componentStatuses } from "../status/Vocabulary.ts"
import { fit } from "./DayFit.ts"
import { contentOf, type Import, parts } from "./Import.ts"
import { decodeUptime, type ImportedDay, maxUptimeFile } from "./UptimeFile.ts"

export const uptimeImport = (path: string): Import => ({
  variable: "UPTIME_FILE",
  path,
  prepare: Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const {
      content: { days, future, old, unmeasured },
      sha256
    } = yield* contentOf({
      variable: "UPTIME_FILE",
      path,
      maximum: maxUptimeFile,
      decode: (json) => decodeUptime(json, dayOf(now))
    })
    return {
      sha256,
      store: Effect.as(put(days, now), { days: days.length, too_old: old, in_future: future, not_measured: unmeasured })
    }
  })
})

const put = Effect.fnUntraced(function* (days: ReadonlyArray<ImportedDay>, now: number) {
  const sql = yield* SqlClient.SqlClient
  // The checker reads and rewrites whole rows under this lock; without it one side would lose the other's time.
  yield* sql`select from status_checker.checker for update`
  for (const part of parts(days)) {
    const asked = JSON.stringify(part.map(({ component_id, day }) => ({ component_id, day })))
    const there = yield* sql<
      Share & { readonly component_id: string; readonly day: string }
    >`select d.component_id, d.day::text as day,
        operational::float8, degraded_performance::float8, partial_outage::float8, major_outage::float8,
        under_maintenance::float8
      from status_checker.component_day d join jsonb_to_recordset(${asked}::jsonb) as r (component_id text, day date)
        on r.component_id = d.component_id and r.day = d.day
      order by d.component_id, d.day for update of d`
    const known = new Map(there.map((row) => [`${row.day} ${row.component_id}`, row]))
    const fitted = part.map((row) => {
      const share = fit(known.get(`${row.day} ${row.component_id}`) ?? noShare, row, lengthOf(row.day, now))
      return {
        component_id: row.component_id,
        day: row.day,
        ...Object.fromEntries(componentStatuses.map((status) => [status, share[status]]))
      }
    })
    yield* sql`insert into status_checker.component_day (component_id, day, operational, degraded_performance,
      partial_outage, major_outage, under_maintenance)
      select component_id, day, operational, degraded_performance, partial_outage, major_outage, under_maintenance
        from jsonb_to_recordset(${JSON.stringify(fitted)}::jsonb)
        as r (component_id text, day date, operational bigint, degraded_performance bigint,
          partial_outage bigint, major_outage bigint, under_maintenance bigint)
      on conflict (component_id, day) do update set operational = excluded.operational,
      degraded_performance = excluded.degraded_performance,
        partial_outage = excluded.partial_outage, major_outage = excluded.major_outage,
        under_maintenance = excluded.under_maintenance`
  }
})

/** Length of the day; of today, the elapsed part. */
const lengthOf = (day: string, now: number): number => (day === dayOf(now) ? now - Date.parse(day) : dayLength)
