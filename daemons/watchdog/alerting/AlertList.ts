/** Alerts and messages as the endpoints and commands read and change them, in the surrounding transaction. */
import { Effect } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { providerTenant } from "#core/auth/Caller.ts"
import { Wake } from "#core/events/Wake.ts"
import * as Audit from "#core/log/Audit.ts"
import type { AlertRules, AlertView, MessageView } from "./Api.ts"
import * as AlertStore from "./AlertStore.ts"
import { AlertClosedAlready, noSuchAlert, noSuchMessage } from "./Errors.ts"
import { deliveriesOf, type Target, testMessage } from "./Messages.ts"
import * as MessageStore from "./MessageStore.ts"
import { maintenanceOf, type Quiet, silenceOf } from "./Quiet.ts"
import { alertTopic } from "./RecordChange.ts"
import type { Severity } from "./Words.ts"

interface Row {
  readonly id: string
  readonly seq: number
  readonly key: string
  readonly group: string
  readonly severity: Severity
  readonly summary: string
  readonly summary_de: string | null
  readonly detail: string | null
  readonly detail_de: string | null
  readonly flapping: boolean
  readonly changes: number
  readonly opened_at: Date
  readonly closed_at: Date | null
  readonly close_reason: "recovered" | "removed" | null
  readonly told_at: Date | null
  readonly repeats: number
  readonly acknowledged_at: Date | null
  readonly acknowledged_by: string | null
  readonly note: string | null
}

const iso = (at: Date | null) => (at === null ? null : at.toISOString())

/** Pure. */
export const view = (row: Row, quiet: Quiet, now: number): typeof AlertView.Type => ({
  ...row,
  state: row.closed_at === null ? "open" : "closed",
  summary_de: row.summary_de ?? row.summary,
  detail_de: row.detail_de ?? row.detail,
  opened_at: row.opened_at.toISOString(),
  closed_at: iso(row.closed_at),
  told_at: iso(row.told_at),
  acknowledged_at: iso(row.acknowledged_at),
  silence_id: row.closed_at === null ? (silenceOf(row, quiet, now)?.id ?? null) : null,
  maintenance_id: row.closed_at === null ? (maintenanceOf(row, quiet, now)?.id ?? null) : null
})

const rows = (tail: Statement.Fragment) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<Row>`select id, seq, key, cause as "group", severity, summary, summary_de, detail, detail_de,
      flapping, changes, opened_at,
      closed_at, close_reason, told_at, repeats, acknowledged_at, acknowledged_by, note from watchdog.alert ${tail}`
  )

export interface AlertFilter {
  readonly state?: "open" | "closed" | undefined
  readonly severity?: Severity | undefined
  readonly group?: string | undefined
}

export const list = Effect.fnUntraced(function* (filter: AlertFilter, before: number | undefined, limit: number) {
  const sql = yield* SqlClient.SqlClient
  const { group, severity, state } = filter
  const conditions = [
    ...(state === undefined ? [] : [state === "open" ? sql`closed_at is null` : sql`closed_at is not null`]),
    ...(severity === undefined ? [] : [sql`severity = ${severity}`]),
    ...(group === undefined ? [] : [sql`cause = ${group}`]),
    ...(before === undefined ? [] : [sql`seq < ${before}`])
  ]
  const where = conditions.length === 0 ? sql`` : sql`where ${sql.and(conditions)}`
  const found = yield* rows(sql`${where} order by seq desc limit ${limit}`)
  const quiet = yield* AlertStore.quiet
  const now = Date.now()
  return found.map((row) => view(row, quiet, now))
})

const get = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* rows(sql`where id = ${id} for update`)
  return row ?? (yield* noSuchAlert)
})

const viewOf = (row: Row) => Effect.map(AlertStore.quiet, (quiet) => view(row, quiet, Date.now()))

/** One alert with its messages, oldest first. */
export const show = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const alert = yield* viewOf(yield* get(id))
  const messages = yield* messageViews(
    sql`where m.id in (select message_id from watchdog.alert_told where alert_id = ${id})`
  )
  return { ...alert, messages }
})

interface MessageRow extends Omit<typeof MessageView.Type, "created_at"> {
  readonly created_at: Date
}

/** Maximum number of messages of one alert that are shown, the newest. */
const mostMessages = 100

const messageViews = (where: Statement.Fragment) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<MessageRow>`select * from (select m.id, m.kind, m.cause as "group", m.seq,
          (m.content->>'count')::int as alerts, m.created_at,
          coalesce((select jsonb_agg(jsonb_build_object('way', d.way, 'state', d.state, 'attempts', d.attempts,
            'sent_at', to_char(d.sent_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'problem', d.problem)
            order by d.way, d.target) from watchdog.alert_delivery d where d.message_id = m.id), '[]') as deliveries
        from watchdog.alert_message m ${where} order by m.seq desc limit ${mostMessages}) as found order by seq`,
      (found) =>
        found.map(({ alerts, created_at, deliveries, group, id, kind }): typeof MessageView.Type => ({
          id,
          kind,
          group,
          alerts,
          created_at: created_at.toISOString(),
          deliveries
        }))
    )
  )

export const message = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* messageViews(sql`where m.id = ${id}`)
  return found ?? (yield* noSuchMessage)
})

const noted = (by: string, id: string, change: string, detail: Record<string, unknown>) =>
  Audit.write({ tenantId: providerTenant, actor: by, action: `alert.${change}`, entity: "alert", id, detail })

/** Ends the repeated messages of an open alert. A second time it changes the note only. */
export const acknowledge = Effect.fnUntraced(function* (id: string, note: string | undefined, by: string) {
  const sql = yield* SqlClient.SqlClient
  const row = yield* get(id)
  if (row.closed_at !== null) return yield* new AlertClosedAlready({ detail: "It needs no acknowledgement." })
  yield* sql`update watchdog.alert set acknowledged_at = coalesce(acknowledged_at, now()),
    acknowledged_by = coalesce(acknowledged_by, ${by}), note = coalesce(${note ?? null}, note) where id = ${id}`
  yield* noted(by, id, "acknowledged", { key: row.key, ...(note === undefined ? {} : { note }) })
  yield* (yield* Wake).announce(alertTopic)
  return yield* viewOf(yield* get(id))
})

/** Adds a test message for every target. */
export const sendTest = Effect.fnUntraced(function* (targets: ReadonlyArray<Target>, by: string) {
  const one = testMessage(Date.now())
  yield* MessageStore.add(one, deliveriesOf(one, targets))
  yield* noted(by, one.id, "tested", {})
  yield* (yield* Wake).announce(alertTopic)
  return yield* Effect.catchTag(message(one.id), "NotFound", Effect.die)
})

export const setRules = Effect.fnUntraced(function* (to: AlertRules, by: string) {
  yield* AlertStore.setRules(to)
  yield* noted(by, "rules", "rules_changed", { ...to })
  yield* (yield* Wake).announce(alertTopic)
  return to
})
