/**
 * Rows of notifications. `owner`: the user whose rows are visible; null: all users. Runs in the surrounding transaction
 * with its role.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Notification, NotificationContent } from "#core/contracts/Notifications.ts"

type Owner = number | null

/** Timestamp column as ISO 8601 text. */
const iso = (column: string) => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${column}`

const columns = `id::float8 as id, uuid::text as uuid, user_id, tenant_id, type, channel, category, severity, icon,
  title, body, data,
  entity_type, entity_id, action_url, ${iso("read_at")}, ${iso("created_at")}`

export interface Filter {
  readonly owner: Owner
  /** Only notifications of this user. */
  readonly user?: number | undefined
  readonly unread?: boolean
  readonly category?: string | undefined
  /** Only notifications older than this one. */
  readonly before?: number | undefined
  readonly limit: number
}

/**
 * The list statement, newest first. It contains only the requested conditions, so that each combination uses its index.
 * One reader's list is ordered by `place`, the list of all by `id`.
 */
export const listStatement = (sql: SqlClient.SqlClient, { before, category, limit, owner, unread, user }: Filter) => {
  const place = sql.literal(owner === null && user === undefined ? "comm_dispatcher.notification.id" : "place")
  return sql<Notification>`select ${sql.literal(columns)} from comm_dispatcher.notification where ${sql.and([
    ...(owner === null ? [] : [sql`user_id = ${owner}`]),
    ...(user === undefined ? [] : [sql`user_id = ${user}`]),
    ...(unread === true ? [sql`read_at is null`] : []),
    ...(category === undefined ? [] : [sql`category = ${category}`]),
    ...(before === undefined ? [] : [sql`${place} < ${before}::float8::bigint`])
  ])} order by ${place} desc limit ${limit}`
}

export const list = (filter: Filter) => Effect.flatMap(SqlClient.SqlClient, (sql) => listStatement(sql, filter))

/** The summary statement. */
export const summaryStatement = (sql: SqlClient.SqlClient, owner: Owner, user?: number) =>
  sql<{
    total: number
    unread: number
  }>`select coalesce(sum(total), 0)::float8 as total, coalesce(sum(unread), 0)::float8 as unread
    from comm_dispatcher.notification_count where ${sql.and([
      ...(owner === null ? [] : [sql`user_id = ${owner}`]),
      ...(user === undefined ? [] : [sql`user_id = ${user}`])
    ])}`

export const summary = (owner: Owner, user?: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.map(summaryStatement(sql, owner, user), (rows) => rows[0]!))

const ownOnly = (sql: SqlClient.SqlClient, owner: Owner) => (owner === null ? sql`true` : sql`user_id = ${owner}`)

/** Marks a notification as read; an earlier reading time stays. Returns whether the notification exists. */
export const markRead = Effect.fnUntraced(function* (uuid: string, owner: Owner) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update comm_dispatcher.notification set read_at = now() where uuid = ${uuid}::uuid
    and ${ownOnly(sql, owner)} and read_at is null`
  const found =
    yield* sql`select 1 from comm_dispatcher.notification where uuid = ${uuid}::uuid and ${ownOnly(sql, owner)}`
  return found.length > 0
})

/** Marks a notification as unread. Returns whether the notification exists. */
export const markUnread = Effect.fnUntraced(function* (uuid: string, owner: Owner) {
  const sql = yield* SqlClient.SqlClient
  const found = yield* sql`update comm_dispatcher.notification set read_at = null where uuid = ${uuid}::uuid
    and ${ownOnly(sql, owner)} returning 1`
  return found.length > 0
})

/**
 * Returns how many were unread, and the reading time that they all have now, with microseconds: it names them for
 * `markAllUnread`.
 */
export const markAllRead = Effect.fnUntraced(function* (owner: number, category?: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`update comm_dispatcher.notification set read_at = now()
    where user_id = ${owner}
      and read_at is null ${category === undefined ? sql`` : sql`and category = ${category}`} returning 1`
  const [at] = yield* sql<{ now: string }>`select to_char(now(), 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as now`
  return { read: rows.length, read_at: at!.now }
})

/** Marks as unread what has exactly this reading time. Returns how many. */
export const markAllUnread = (owner: number, readAt: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql`update comm_dispatcher.notification set read_at = null
        where user_id = ${owner} and read_at = ${readAt}::text::timestamptz returning 1`,
      (rows) => rows.length
    )
  )

/** Returns the owner of the removed row; undefined when it does not exist. */
export const remove = (uuid: string, owner: Owner) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ user_id: number; tenant_id: number; type: string }>`delete from comm_dispatcher.notification
        where uuid = ${uuid}::uuid and ${ownOnly(sql, owner)} returning user_id, tenant_id, type`,
      (rows) => rows[0]
    )
  )

/** Inserts one row per reader, ordered by id. */
export const insert = Effect.fnUntraced(function* (
  readers: ReadonlyArray<{ readonly user_id: number; readonly tenant_id: number }>,
  content: NotificationContent
) {
  if (readers.length === 0) return []
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  const {
    action_url = null,
    body,
    category,
    data = {},
    entity_id = null,
    entity_type = null,
    icon = null,
    severity,
    title,
    type
  } = content
  const rows = yield* sql<Notification>`insert into comm_dispatcher.notification
      (user_id, tenant_id, type, category, severity, icon, title, body, data, entity_type, entity_id, action_url)
    select r.user_id, r.tenant_id, ${type}, ${category}, ${severity}, ${icon}, ${title}, ${body},
      ${pg.json(data)}::jsonb, ${entity_type}, ${entity_id}, ${action_url}
      from unnest(${readers.map(({ user_id }) => user_id)}::int[],
        ${readers.map(({ tenant_id }) => tenant_id)}::int[]) as r (user_id, tenant_id)
    returning ${sql.literal(columns)}`
  return rows.toSorted((a, b) => a.id - b.id)
})
