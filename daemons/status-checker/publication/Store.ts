/** Reads what the page shows from the database. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Sql from "#core/sql/Sql.ts"
import { published } from "../incidents/Exports.ts"
import { announced } from "../maintenance/Exports.ts"
import { type ComponentState, type Day, historyDays } from "../status/Model.ts"
import type { StoredData } from "./Assemble.ts"

/** Reads by several statements in the surrounding transaction. */
export const readNow: Effect.Effect<StoredData, Sql.SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly states: string; readonly days: string }>`
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
      ) d)::text as days`
  const states = JSON.parse(row!.states) as ReadonlyArray<ComponentState>
  return {
    states: states.map((state) => ({ ...state, since: iso(state.since), checked_at: iso(state.checked_at) })),
    days: JSON.parse(row!.days) as Readonly<Record<string, ReadonlyArray<Day>>>,
    incidents: yield* published,
    maintenance: yield* announced
  }
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
