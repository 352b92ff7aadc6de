/** Statements of alerts and of what keeps their messages back. */
import { PgClient } from "@effect/sql-pg"
import { Effect, Schema } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { AlertRules } from "./Api.ts"
import type { Incident, Past } from "./Incident.ts"
import type { Maintenance, Quiet, Silence } from "./Quiet.ts"
import { defaultRules } from "./Rules.ts"

/**
 * Maximum number of incidents that are read at once. Reason: bounds memory; the rest follows when these are settled.
 */
const mostUnsettled = 5_000

/**
 * Maximum number of closed incidents that count for flapping. Reason: the largest number of changes in the rules, and
 * more.
 */
const mostPast = 200

/** Maximum number of silences and windows in force. Reason: bounds memory; see `TooManySilences`. */
export const mostSilences = 500

/** A time as epoch milliseconds. Keys of rows stay as written. */
const ms = (sql: SqlClient.SqlClient, column: string) => sql`(extract(epoch from ${sql(column)}) * 1000)::float8`

const columns = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql`id, key, cause as "group", severity, summary, summary_de as "summaryDe", detail, detail_de as "detailDe",
    ${ms(sql, "opened_at")} as "openedAt",
    ${ms(sql, "closed_at")} as "closedAt", close_reason as "closeReason", flapping, changes,
    ${ms(sql, "recovering_since")} as "recoveringSince", ${ms(sql, "told_at")} as "toldAt",
    ${ms(sql, "last_told_at")} as "lastToldAt", repeats, ${ms(sql, "acknowledged_at")} as "acknowledgedAt", settled`

const date = (at: number | null) => (at === null ? null : new Date(at))

/** The open incident of a key, locked until the transaction ends. */
export const openOf = Effect.fnUntraced(function* (key: string) {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<Incident>`select ${columns(sql)} from watchdog.alert
    where key = ${key} and closed_at is null for update`
  return found
})

/** Closed incidents of a key since `from`. */
export const pastOf = Effect.fnUntraced(function* (key: string, from: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Past>`select ${ms(sql, "opened_at")} as "openedAt", ${ms(sql, "closed_at")} as "closedAt"
    from watchdog.alert where key = ${key} and closed_at > ${new Date(from)} order by closed_at desc limit ${mostPast}`
})

/** Incidents by id, locked until the transaction ends. */
export const byIds = Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Incident>`select ${columns(sql)} from watchdog.alert where id = any(${ids}::uuid[])
    order by id for update`
})

/** Incidents of which something is left to tell, or that are open. */
export const unsettled = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Incident>`select ${columns(sql)} from watchdog.alert where not settled
    order by seq limit ${mostUnsettled}`
})

/** Serialises reports of one key until the transaction ends. */
export const lockKey = Effect.fnUntraced(function* (key: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`select pg_advisory_xact_lock(hashtextextended(${`watchdog alert ${key}`}, 0))`
})

/** Inserts or updates an incident; what a person noted stays. A closed one stays closed. */
export const save = Effect.fnUntraced(function* (incident: Incident) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`insert into watchdog.alert as a (id, key, cause, severity, summary, summary_de, detail, detail_de,
      opened_at, closed_at, close_reason, flapping, changes, recovering_since, told_at, last_told_at, repeats, settled)
    values (${incident.id}, ${incident.key}, ${incident.group}, ${incident.severity}, ${incident.summary},
      ${incident.summaryDe ?? null}, ${incident.detail}, ${incident.detailDe ?? null},
      ${date(incident.openedAt)}, ${date(incident.closedAt)}, ${incident.closeReason},
      ${incident.flapping}, ${incident.changes}, ${date(incident.recoveringSince)}, ${date(incident.toldAt)},
      ${date(incident.lastToldAt)}, ${incident.repeats}, ${incident.settled})
    on conflict (id) do update set severity = excluded.severity, summary = excluded.summary,
      summary_de = excluded.summary_de, detail = excluded.detail, detail_de = excluded.detail_de,
      closed_at = coalesce(a.closed_at, excluded.closed_at),
      close_reason = coalesce(a.close_reason, excluded.close_reason), flapping = excluded.flapping,
      changes = excluded.changes, recovering_since = excluded.recovering_since,
      told_at = coalesce(a.told_at, excluded.told_at),
      last_told_at = greatest(a.last_told_at, excluded.last_told_at),
      repeats = greatest(a.repeats, excluded.repeats), settled = a.settled or excluded.settled`
})

const decodeRules = Schema.decodeUnknownOption(AlertRules)

/** The rules in force. */
export const rules = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ rules: unknown }>`select rules from watchdog.alert_rules`
  const found = row === undefined ? undefined : decodeRules(row.rules)
  return found?._tag === "Some" ? found.value : defaultRules
})

export const setRules = Effect.fnUntraced(function* (to: AlertRules) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  yield* sql`insert into watchdog.alert_rules (rules) values (${pg.json(to)})
    on conflict (one) do update set rules = excluded.rules`
})

/** Silences and maintenance that are not over. */
export const quiet: Effect.Effect<Quiet, SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const silences = yield* sql<Silence>`select id, key_pattern as "keyPattern", group_pattern as "groupPattern",
        ${ms(sql, "starts_at")} as "startsAt", ${ms(sql, "ends_at")} as "endsAt"
      from watchdog.silence where ends_at > now() order by seq limit ${mostSilences}`
  const maintenance = yield* sql<Maintenance>`select id, components as names,
        ${ms(sql, "starts_at")} as "startsAt", ${ms(sql, "ends_at")} as "endsAt"
      from watchdog.maintenance where ends_at > now() order by starts_at limit ${mostSilences}`
  return { silences, maintenance }
})

/** Makes this process the one that sends, and serialises rounds until the transaction ends. */
export const becomeSender = Effect.fnUntraced(function* (process: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`insert into watchdog.alert_sender (process) values (${process})
    on conflict (one) do update set process = excluded.process`
})

export const sender = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ process: string }>`select process from watchdog.alert_sender`
  return row?.process
})

/** How long closed alerts are kept. Unit: days. Reason: a year, plus some weeks for questions about it. */
export const keptDays = 400

/** Deletes old alerts, messages and silences; returns the number of alerts. */
export const prune = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const gone = yield* sql`delete from watchdog.alert
    where closed_at < now() - make_interval(days => ${keptDays}) and settled returning 1`
  yield* sql`delete from watchdog.alert_message m where created_at < now() - make_interval(days => ${keptDays})
    and not exists (select from watchdog.alert_told t where t.message_id = m.id)`
  yield* sql`delete from watchdog.silence where ends_at < now() - make_interval(days => ${keptDays})`
  yield* sql`delete from watchdog.maintenance where ends_at < now()`
  return gone.length
})
