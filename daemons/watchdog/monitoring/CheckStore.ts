/** Checks in the database. Each function runs in the surrounding transaction, if there is one. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Alerts } from "../alerting/Exports.ts"
import type { BuiltCheck } from "./BuiltCheck.ts"
import type { CheckRow } from "./CheckRow.ts"
import type { CheckState, Finding } from "./CheckState.ts"

/** How long results are kept one by one, and by hour. Units: hours, days. Reason: charts of two days and a quarter. */
export const samplesKept = 48
export const hoursKept = 90

/** How long a check that is no longer found keeps its history. Unit: days. Reason: a container that is built again. */
const goneKept = 7

/** Columns of a CheckRow. */
export const columns = Effect.map(
  SqlClient.SqlClient,
  (sql) => sql`id, key, kind, origin, host, found_group, unit, direction, found_warning, found_critical, found_failures,
    found_successes, definition, enabled, interval_s, timeout_s, warning, critical, failures, successes, status, since,
    checked_at, duration_ms, value, detail, detail_de, code, code_values, measurements, seen, streak, alerting,
    run_requested_at`
)

/** Result of one check, to be stored. */
export interface Outcome {
  readonly key: string
  readonly state: CheckState
  readonly finding: Finding
  /** Unit: milliseconds since 1970. */
  readonly at: number
  /** Unit: milliseconds. */
  readonly duration: number
}

const iso = (wall: number | null): string | null => (wall === null ? null : new Date(wall).toISOString())

/**
 * Makes the stored built-in checks of a host (null: of the installation) those of `found`. Checks of the kinds in
 * `incomplete` are not removed. Returns all checks that should run here, with operators' checks.
 */
export const sync = Effect.fnUntraced(function* (
  host: string | null,
  found: ReadonlyArray<BuiltCheck>,
  incomplete: ReadonlyArray<string>
) {
  const sql = yield* SqlClient.SqlClient
  const alerts = yield* Alerts
  const rows = JSON.stringify(
    found.map(({ failures, group, key, kind, successes, thresholds, unit }) => ({
      key,
      kind,
      found_group: group,
      unit,
      direction: thresholds.direction,
      found_warning: thresholds.warning,
      found_critical: thresholds.critical,
      found_failures: failures ?? null,
      found_successes: successes ?? null
    }))
  )
  const asRows = sql`jsonb_to_recordset(${rows}::jsonb) as r (key text, kind text, found_group text, unit text,
    direction text, found_warning float8, found_critical float8, found_failures int, found_successes int)`
  yield* sql`
    insert into watchdog.monitoring_check as c (key, kind, origin, host, found_group, unit, direction, found_warning,
        found_critical, found_failures, found_successes)
      select key, kind, 'built_in', ${host}::text, found_group, unit, direction, found_warning, found_critical,
        found_failures, found_successes from ${asRows}
      on conflict (key) do update set kind = excluded.kind, host = excluded.host, unit = excluded.unit,
        found_group = excluded.found_group, direction = excluded.direction, found_warning = excluded.found_warning,
        found_critical = excluded.found_critical, found_failures = excluded.found_failures,
        found_successes = excluded.found_successes, gone_at = null
      where c.origin = 'built_in' and (c.gone_at is not null or (c.kind, c.host, c.found_group, c.unit, c.direction,
        c.found_warning, c.found_critical, c.found_failures, c.found_successes) is distinct from (excluded.kind,
        excluded.host, excluded.found_group, excluded.unit, excluded.direction, excluded.found_warning,
        excluded.found_critical, excluded.found_failures, excluded.found_successes))`
  const gone = yield* sql<{ key: string; alerting: boolean }>`
    update watchdog.monitoring_check c set gone_at = now(), status = 'pending', since = null, seen = null, streak = 0,
        alerting = false, value = null, detail = '', detail_de = '', code = null, code_values = '{}',
        measurements = '{}', run_requested_at = null
      from watchdog.monitoring_check old
      where old.id = c.id and c.origin = 'built_in' and c.gone_at is null and c.host is not distinct from ${host}::text
        and c.kind <> all (${incomplete}::text[]) and c.key <> all (${found.map(({ key }) => key)}::text[])
      returning c.key, old.alerting`
  yield* Effect.forEach(
    gone.filter(({ alerting }) => alerting),
    ({ key }) => alerts.remove(key, new Date()),
    { discard: true }
  )
  return yield* stored(host)
})

/** Stores results. Returns the keys of those whose check still exists and is enabled. */
export const record = Effect.fnUntraced(function* (
  latest: ReadonlyArray<Outcome>,
  samples: ReadonlyArray<{ readonly key: string; readonly at: number; readonly finding: Finding }>
) {
  const sql = yield* SqlClient.SqlClient
  const states = JSON.stringify(
    latest.map(({ at, duration, finding, key, state }) => ({
      key,
      status: state.status,
      since: iso(state.since),
      seen: state.seen,
      streak: state.streak,
      alerting: state.alerting,
      checked_at: iso(at),
      duration_ms: Math.round(duration),
      value: finding.value,
      detail: finding.detail,
      detail_de: finding.detailDe,
      code: finding.code,
      code_values: finding.values,
      measurements: finding.measurements
    }))
  )
  const stored = yield* sql<{ key: string }>`
    update watchdog.monitoring_check c set status = r.status, since = r.since, seen = r.seen, streak = r.streak,
        alerting = r.alerting, checked_at = r.checked_at, duration_ms = r.duration_ms, value = r.value,
        detail = r.detail, detail_de = r.detail_de, code = r.code, code_values = r.code_values,
        measurements = r.measurements,
        run_requested_at = case when c.run_requested_at > r.checked_at then c.run_requested_at end
      from jsonb_to_recordset(${states}::jsonb) as r (key text, status text, since timestamptz, seen text, streak int,
        alerting boolean, checked_at timestamptz, duration_ms int, value float8, detail text, detail_de text, code text,
        code_values jsonb, measurements jsonb)
      where c.key = r.key and c.enabled and c.gone_at is null
      returning c.key`
  const points = JSON.stringify(
    samples.map(({ at, finding, key }) => ({ key, at: iso(at), status: finding.status, value: finding.value }))
  )
  // Hours count only samples that are new, so a batch that is written twice counts once.
  yield* sql`
    with point as (
      select c.id, r.at, r.status, r.value
        from jsonb_to_recordset(${points}::jsonb) as r (key text, at timestamptz, status text, value float8)
        join watchdog.monitoring_check c on c.key = r.key
    ), added as (
      insert into watchdog.monitoring_sample (check_id, at, status, value) select id, at, status, value from point
        on conflict do nothing returning check_id, at, status, value
    )
    insert into watchdog.monitoring_hour as h (check_id, hour, severity, checks, measured, total, least, most)
      select check_id, date_trunc('hour', at, 'UTC'), max(array_position(array['ok', 'unknown', 'warning', 'critical'],
          status) - 1), count(*), count(value), coalesce(sum(value), 0), min(value), max(value)
        from added group by 1, 2
      on conflict (check_id, hour) do update set severity = greatest(h.severity, excluded.severity),
        checks = h.checks + excluded.checks, measured = h.measured + excluded.measured,
        total = h.total + excluded.total, least = least(h.least, excluded.least),
        most = greatest(h.most, excluded.most)`
  return new Set(stored.map(({ key }) => key))
})

/** Deletes old results and checks that were not found for long. */
export const prune = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const old = yield* sql`delete from watchdog.monitoring_sample
    where at < now() - make_interval(hours => ${samplesKept}) returning 1`
  yield* sql`delete from watchdog.monitoring_hour where hour < now() - make_interval(days => ${hoursKept})`
  yield* sql`delete from watchdog.monitoring_check where gone_at < now() - make_interval(days => ${goneKept})`
  return old.length
})

/** Checks of a host (null: of the installation) as they are stored. */
export const stored = Effect.fnUntraced(function* (host: string | null) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<CheckRow>`select ${yield* columns} from watchdog.monitoring_check
    where gone_at is null and host is not distinct from ${host}::text order by id`
})

/** Text that changes with every change of an operator and with every request to run a check. */
export const stamp = Effect.fnUntraced(function* (host: string | null) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ stamp: string }>`
    select count(*) || ' ' || coalesce(max(changed_at)::text, '') as stamp from watchdog.monitoring_check
      where host is not distinct from ${host}::text`
  return row!.stamp
})
