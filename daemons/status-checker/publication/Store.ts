/** Reads what the page shows from the database. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Sql from "#core/sql/Sql.ts"
import { published } from "../incidents/Exports.ts"
import { announced } from "../maintenance/Exports.ts"
import {
  type ComponentState,
  type Day,
  historyDays,
  responseHours,
  responseStep,
  type ResponseTimes
} from "../status/Model.ts"
import type { StoredData } from "./Assemble.ts"

/** Reads by several statements in the surrounding transaction. */
export const readNow: Effect.Effect<StoredData, Sql.SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly states: string; readonly days: string; readonly times: string }>`
    select
      (select coalesce(json_agg(s order by component_id), '[]') from (select component_id, status, since, checked_at
      from status_checker.component_state) s)::text as states,
      (select coalesce(json_object_agg(component_id, list), '{}') from (
        select component_id, json_agg(json_build_object(
          'day', day, 'operational', operational, 'degraded_performance', degraded_performance, 'partial_outage',
          partial_outage,
          'major_outage', major_outage, 'under_maintenance', under_maintenance) order by day) as list
        from status_checker.component_day where day > (now() at time zone 'UTC')::date - ${historyDays}::int
        group by component_id order by component_id
      ) d)::text as days,
      (select coalesce(json_object_agg(component_id, list), '{}') from (
        select component_id, json_agg(json_build_array(extract(epoch from slot)::bigint, checks,
          round(total_ms::numeric / checks)::int, most_ms) order by slot) as list
        from status_checker.response_time where slot > now() - make_interval(hours => ${responseHours}::int)
          - make_interval(secs => ${responseStep / 1_000}::int)
        group by component_id order by component_id
      ) t)::text as times`
  const states = JSON.parse(row!.states) as ReadonlyArray<ComponentState>
  return {
    states: states.map((state) => ({ ...state, since: iso(state.since), checked_at: iso(state.checked_at) })),
    times: Object.fromEntries(
      Object.entries(JSON.parse(row!.times) as Readonly<Record<string, ReadonlyArray<StoredTimes>>>).map(
        ([id, list]) => [id, list.map(timesOf)]
      )
    ),
    days: JSON.parse(row!.days) as Readonly<Record<string, ReadonlyArray<Day>>>,
    incidents: yield* published,
    maintenance: yield* announced
  }
})

/** Quarter in seconds since 1970, checks, mean, most. */
type StoredTimes = readonly [number, number, number, number]

const timesOf = ([slot, checks, mean_ms, most_ms]: StoredTimes): ResponseTimes => ({
  at: new Date(slot * 1_000).toISOString(),
  checks,
  mean_ms,
  most_ms
})

/** Reads a consistent view in a transaction of its own, so that incidents and component states match. */
export const read = Sql.transaction(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    // Must be the first statement of the transaction.
    yield* sql`set transaction isolation level repeatable read, read only`
    return yield* readNow
  })
)

/** Postgres formats timestamps in the time zone of the session. */
const iso = (time: string): string => new Date(time).toISOString()
