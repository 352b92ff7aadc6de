/**
 * Queries of the audit log. They run in the surrounding transaction with its role, so a tenant sees only its own
 * entries. Every filter has an index in list order (core's migrations), so the cost of a page does not grow with the
 * log.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export interface AuditFilter {
  readonly tenant?: number
  /** An action, or a group of actions: `user.*`. */
  readonly action?: string
  readonly actor?: string
  readonly entity_type?: string
  readonly entity_id?: string
  /** Start of the time range, inclusive. */
  readonly since?: Date
  /** End of the time range, exclusive. */
  readonly until?: Date
  /** Only entries with a smaller id. */
  readonly before?: number
  /** Only entries with a larger id. */
  readonly after?: number
}

export interface AuditEntry {
  readonly id: number
  readonly tenant_id: number
  readonly at: Date
  readonly actor: string
  readonly action: string
  readonly entity_type: string
  readonly entity_id: string
  readonly address: string | null
  readonly detail: Readonly<Record<string, unknown>>
}

/** The statement, shared with the test that checks its query plan. */
export const statement = (sql: SqlClient.SqlClient, filter: AuditFilter, limit: number) => {
  const { action, actor, after, before, entity_id, entity_type, since, tenant, until } = filter
  const conditions = [
    sql`true`,
    ...(tenant === undefined ? [] : [sql`tenant_id = ${tenant}`]),
    ...(action === undefined ? [] : [ofAction(sql, action)]),
    ...(actor === undefined ? [] : [sql`actor = ${actor}`]),
    ...(entity_type === undefined ? [] : [sql`entity_type = ${entity_type}`]),
    ...(entity_id === undefined ? [] : [sql`entity_id = ${entity_id}`]),
    ...(since === undefined ? [] : [sql`at >= ${since}`]),
    ...(until === undefined ? [] : [sql`at < ${until}`]),
    ...(before === undefined ? [] : [sql`id < ${before}`]),
    ...(after === undefined ? [] : [sql`id > ${after}`])
  ]
  return sql<AuditEntry>`select id::float8 as id, tenant_id, at, actor, action, entity_type, entity_id, address, detail
    from core.audit where ${sql.and(conditions)} order by core.audit.id desc limit ${limit}`
}

/** Entries that match the filter, newest first, at most `limit`. */
export const listAudit = Effect.fnUntraced(function* (filter: AuditFilter, limit: number) {
  return yield* statement(yield* SqlClient.SqlClient, filter, limit)
})

/**
 * Condition for an action or a group. The index covers the first word of an action; a second condition narrows the
 * result.
 */
const ofAction = (sql: SqlClient.SqlClient, action: string) => {
  const group = sql`action_group = ${action.split(".", 1)[0]!}`
  if (!action.endsWith(".*")) return sql.and([group, sql`action = ${action}`])
  const prefix = action.slice(0, -1)
  return prefix.indexOf(".") === prefix.length - 1 ? group : sql.and([group, sql`starts_with(action, ${prefix})`])
}
