/**
 * Queries of the audit log. Run in the surrounding transaction with its role: a tenant finds its own entries. Every
 * filter has an index in list order (core's migrations), so the cost of a page does not grow with the log.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export interface AuditFilter {
  readonly tenant?: number
  /** An action, or all below one: `user.*`. */
  readonly action?: string
  readonly actor?: string
  readonly entity_type?: string
  readonly entity_id?: string
  /** Included. */
  readonly since?: Date
  /** Not included. */
  readonly until?: Date
  /** Only entries with a smaller number. */
  readonly before?: number
  /** Only entries with a larger number. */
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

/** The statement, for the list and for the test that looks at its plan. */
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

/** Newest first, at most `limit`. */
export const listAudit = Effect.fnUntraced(function* (filter: AuditFilter, limit: number) {
  return yield* statement(yield* SqlClient.SqlClient, filter, limit)
})

/** The first word of an action is indexed; what stands behind it narrows that. */
const ofAction = (sql: SqlClient.SqlClient, action: string) => {
  const group = sql`action_group = ${action.split(".", 1)[0]!}`
  if (!action.endsWith(".*")) return sql.and([group, sql`action = ${action}`])
  const prefix = action.slice(0, -1)
  return prefix.indexOf(".") === prefix.length - 1 ? group : sql.and([group, sql`starts_with(action, ${prefix})`])
}
