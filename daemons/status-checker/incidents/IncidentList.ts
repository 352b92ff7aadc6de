/** Lists incidents for operators. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { incidents, type StoredIncident } from "./Store.ts"

export type IncidentState = "draft" | "open" | "resolved"

/** Pure. */
export const stateOf = ({ published_at, status }: Pick<StoredIncident, "published_at" | "status">): IncidentState =>
  published_at === null ? "draft" : status === "resolved" ? "resolved" : "open"

/** Newest first: at most `limit` incidents with numbers below `before`. */
export const list = Effect.fnUntraced(function* (
  state: IncidentState | undefined,
  before: number | undefined,
  limit: number
) {
  const sql = yield* SqlClient.SqlClient
  return yield* incidents(
    sql`where ${sql.and([
      sql`true`,
      ...(before === undefined ? [] : [sql`number < ${before}`]),
      ...(state === undefined
        ? []
        : state === "draft"
          ? [sql`published_at is null`]
          : [sql`published_at is not null and (status = 'resolved') = ${state === "resolved"}`])
    ])} order by number desc limit ${limit}`
  )
})

/** Body of an answer. Pure. */
export const view = (row: StoredIncident) => ({
  id: row.id,
  state: stateOf(row),
  title: row.title,
  title_en: row.title_en,
  status: row.status,
  severity: row.severity,
  components: row.components,
  proposed_for: row.proposed_for,
  created_at: row.created_at,
  resolved_at: row.resolved_at,
  published_at: row.published_at,
  updated_at: row.updated_at,
  updates: row.updates
})
