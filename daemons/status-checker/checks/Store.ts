/**
 * Measurements in the database. `status_checker.checker` names the one checker that may write and counts its batches. A
 * batch with an uncertain commit is therefore not added twice, and a batch of a replaced checker is not added.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { providerTenant } from "#core/auth/Caller.ts"
import { ComponentChanged } from "#core/contracts/Status.ts"
import { Events } from "#core/events/Events.ts"
import * as Sql from "#core/sql/Sql.ts"
import { Wake } from "#core/events/Wake.ts"
import { historyDays, responseDays, source, topic } from "../status/Model.ts"
import { type ComponentStatus, componentStatuses } from "../status/Vocabulary.ts"
import type { Batch, DayCredit, StateRow } from "./Measurements.ts"
import { fill, noShare, type Share } from "./Days.ts"
import type { TimeCredit } from "./ResponseTime.ts"

/**
 * Makes `writer` the checker. Returns the stored states when another checker wrote before; undefined when `former`
 * still holds the claim and continues.
 */
export const claim = Effect.fnUntraced(function* (writer: string, former: string | undefined) {
  const sql = yield* SqlClient.SqlClient
  return yield* Sql.transaction(
    Effect.gen(function* () {
      yield* sql`insert into status_checker.checker (writer, batch) values (${writer}::uuid, 0)
        on conflict (one) do nothing`
      const [row] = yield* sql<{ writer: string }>`select writer::text as writer from status_checker.checker for update`
      if (former !== undefined && row?.writer === former) return { writer: former, states: undefined }
      yield* sql`update status_checker.checker set writer = ${writer}::uuid, batch = 0`
      const states = yield* sql<Stored>`select component_id, status, since, checked_at, seen, streak, results
          from status_checker.component_state`
      return { writer, states: states.map(fromStored) }
    })
  )
})

/** `written`: by this call or an earlier attempt. `lost`: another checker has taken over. */
export type Writing = "written" | "lost"

/** Writes a batch completely or not at all. */
export const write = Effect.fnUntraced(function* (writer: string, batch: Batch) {
  const sql = yield* SqlClient.SqlClient
  const wake = yield* Wake
  return yield* Sql.transaction(
    Effect.gen(function* (): Effect.fn.Return<Writing, Sql.SqlError.SqlError, SqlClient.SqlClient | Events> {
      const moved = yield* sql`update status_checker.checker set batch = ${batch.number}::int
      where writer = ${writer}::uuid and batch = ${batch.number - 1}::int returning batch`
      if (moved.length === 0) {
        const [there] =
          yield* sql`select from status_checker.checker where writer = ${writer}::uuid and batch = ${batch.number}::int`
        return there === undefined ? "lost" : "written"
      }
      if (batch.states.length > 0) yield* putStates(batch.states)
      if (batch.credits.length > 0) yield* addCredits(batch.credits)
      if (batch.times.length > 0) yield* addTimes(batch.times)
      if (batch.present !== undefined) {
        yield* sql`delete from status_checker.component_state where component_id <> all (${batch.present}::text[])`
        yield* sql`delete from status_checker.response_time where component_id <> all (${batch.present}::text[])`
      }
      // The database's clock must agree as well, because deleted days are lost.
      if (batch.forgetBefore !== undefined) {
        yield* sql`delete from status_checker.component_day
        where day < least(${batch.forgetBefore}::date, (now() at time zone 'UTC')::date - ${historyDays - 1}::int)`
        yield* sql`delete from status_checker.response_time where slot <
          least((${batch.forgetBefore}::date + ${historyDays}::int)::timestamp at time zone 'UTC', now())
          - make_interval(days => ${responseDays}::int)`
      }
      yield* wake.announce(topic)
      return "written"
    })
  )
})

export interface Window {
  readonly components: ReadonlyArray<string>
  readonly startsAt: number
  readonly endsAt: number
}

/** How far ahead windows are read. Unit: days. Reason: they stay known while the database is away. */
const ahead = 7

/** Active and upcoming maintenance, and whether `writer` still holds the claim. */
export const look = Effect.fnUntraced(function* (writer: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{
    components: ReadonlyArray<string>
    starts_at: Date
    ends_at: Date
  }>`select components, starts_at, ends_at from status_checker.maintenance
    where cancelled_at is null and ends_at > now() and starts_at < now() + make_interval(days => ${ahead}::int)`
  const mine = yield* sql`select from status_checker.checker where writer = ${writer}::uuid`
  return {
    windows: rows.map(({ components, ends_at, starts_at }): Window => ({
      components,
      startsAt: +starts_at,
      endsAt: +ends_at
    })),
    isMine: mine.length > 0
  }
})

/** Whether maintenance of the component is active. Pure. */
export const isUnderWay = (windows: ReadonlyArray<Window>, componentId: string, now: number): boolean =>
  windows.some(
    ({ components, endsAt, startsAt }) => startsAt <= now && now < endsAt && components.includes(componentId)
  )

interface Stored {
  readonly component_id: string
  readonly status: ComponentStatus
  readonly since: Date
  readonly checked_at: Date
  readonly seen: ComponentStatus | null
  readonly streak: number
  readonly results: StateRow["results"]
}

const fromStored = (row: Stored): StateRow => ({
  componentId: row.component_id,
  status: row.status,
  since: +row.since,
  checkedAt: +row.checked_at,
  seen: row.seen,
  streak: row.streak,
  results: row.results
})

const iso = (wall: number): string => new Date(wall).toISOString()

const putStates = Effect.fnUntraced(function* (states: ReadonlyArray<StateRow>) {
  const sql = yield* SqlClient.SqlClient
  const events = yield* Events
  const before = yield* sql<{
    id: string
    status: ComponentStatus
  }>`select component_id as id, status from status_checker.component_state
    where component_id = any (${states.map(({ componentId }) => componentId)}::text[])`
  const statusOf = new Map(before.map(({ id, status }) => [id, status]))
  for (const { componentId, since, status } of states) {
    const from = statusOf.get(componentId) ?? null
    // A new component that is operational is no change.
    if (from === status || (from === null && status === "operational")) continue
    yield* events.emit(
      ComponentChanged,
      source,
      { component_id: componentId, from, to: status, since: iso(since) },
      { tenantId: providerTenant }
    )
  }
  const rows = JSON.stringify(
    states.map((row) => ({ ...row, id: row.componentId, since: iso(row.since), checked_at: iso(row.checkedAt) }))
  )
  yield* sql`insert into status_checker.component_state (component_id, status, since, checked_at, seen, streak, results)
    select id, status, since, checked_at, seen, streak, results
      from jsonb_to_recordset(${rows}::jsonb) as r (id text, status text, since timestamptz, checked_at timestamptz,
      seen text, streak int, results jsonb)
    on conflict (component_id) do update set status = excluded.status, since = excluded.since,
    checked_at = excluded.checked_at,
      seen = excluded.seen, streak = excluded.streak, results = excluded.results`
})

const addCredits = Effect.fnUntraced(function* (credits: ReadonlyArray<DayCredit>) {
  const sql = yield* SqlClient.SqlClient
  const keyOf = ({ componentId, day }: Pick<DayCredit, "componentId" | "day">) => `${componentId} ${day}`
  const asked = JSON.stringify(credits.map(({ componentId, day }) => ({ id: componentId, day })))
  // Inserts the rows first, so that the next statement can lock all of them: imports write days too.
  yield* sql`insert into status_checker.component_day (component_id, day) select id, day
    from jsonb_to_recordset(${asked}::jsonb) as r (id text, day date)
    order by id, day on conflict do nothing`
  // Doubles hold the milliseconds of a day exactly.
  const there = yield* sql<
    Share & { readonly componentId: string; readonly day: string }
  >`select component_id as "componentId", d.day::text as day,
      operational::float8, degraded_performance::float8, partial_outage::float8, major_outage::float8,
      under_maintenance::float8
    from status_checker.component_day d join jsonb_to_recordset(${asked}::jsonb)
    as r (id text, day date) on r.id = d.component_id and r.day = d.day
    order by component_id, d.day for update of d`
  const known = new Map(there.map((row) => [keyOf(row), row]))
  const filled = credits.map((row) => {
    const share = fill(known.get(keyOf(row)) ?? noShare, row)
    return {
      id: row.componentId,
      day: row.day,
      ...Object.fromEntries(componentStatuses.map((status) => [status, share[status]]))
    }
  })
  yield* sql`update status_checker.component_day d
    set operational = r.operational, degraded_performance = r.degraded_performance,
      partial_outage = r.partial_outage, major_outage = r.major_outage, under_maintenance = r.under_maintenance
    from jsonb_to_recordset(${JSON.stringify(filled)}::jsonb)
    as r (id text, day date, operational bigint, degraded_performance bigint,
      partial_outage bigint, major_outage bigint, under_maintenance bigint)
    where d.component_id = r.id and d.day = r.day`
})

const addTimes = Effect.fnUntraced(function* (times: ReadonlyArray<TimeCredit>) {
  const sql = yield* SqlClient.SqlClient
  const rows = JSON.stringify(
    times.map(({ componentId, slot, ...sums }) => ({ ...sums, id: componentId, slot: iso(slot) }))
  )
  yield* sql`insert into status_checker.response_time as t (component_id, slot, checks, total_ms, most_ms)
    select id, slot, checks, total, most
      from jsonb_to_recordset(${rows}::jsonb) as r (id text, slot timestamptz, checks int, total bigint, most int)
    on conflict (component_id, slot) do update set checks = t.checks + excluded.checks,
      total_ms = t.total_ms + excluded.total_ms, most_ms = greatest(t.most_ms, excluded.most_ms)`
})
