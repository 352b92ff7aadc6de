/** Lists maintenance windows for operators. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type StoredMaintenance, windows } from "./Store.ts"

export type MaintenanceState = "planned" | "active" | "over" | "cancelled"

/** State at `now`, in milliseconds. Pure. */
export const stateOf = (
  { cancelled_at, ends_at, starts_at }: Pick<StoredMaintenance, "cancelled_at" | "ends_at" | "starts_at">,
  now: number
): MaintenanceState =>
  cancelled_at !== null
    ? "cancelled"
    : Date.parse(ends_at) <= now
      ? "over"
      : Date.parse(starts_at) <= now
        ? "active"
        : "planned"

/** Newest first: at most `limit` windows with numbers below `before`. */
export const list = Effect.fnUntraced(function* (
  state: MaintenanceState | undefined,
  before: number | undefined,
  limit: number
) {
  const sql = yield* SqlClient.SqlClient
  const states = {
    cancelled: sql`cancelled_at is not null`,
    over: sql`cancelled_at is null and ends_at <= now()`,
    active: sql`cancelled_at is null and starts_at <= now() and ends_at > now()`,
    planned: sql`cancelled_at is null and starts_at > now()`
  }
  return yield* windows(
    sql`where ${sql.and([
      sql`true`,
      ...(before === undefined ? [] : [sql`number < ${before}`]),
      ...(state === undefined ? [] : [states[state]])
    ])} order by number desc limit ${limit}`
  )
})

/** Body of an answer. */
export const view = (row: StoredMaintenance) => ({
  id: row.id,
  state: stateOf(row, Date.now()),
  title: row.title,
  title_en: row.title_en,
  message: row.message,
  message_en: row.message_en,
  components: row.components,
  starts_at: row.starts_at,
  ends_at: row.ends_at,
  created_at: row.created_at,
  updated_at: row.updated_at,
  cancelled_at: row.cancelled_at
})
