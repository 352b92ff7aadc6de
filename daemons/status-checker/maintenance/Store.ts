/** Maintenance windows in the database, as they are read. MaintenanceChanges writes them. */
import { Effect } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import type { Maintenance } from "../status/Model.ts"

/**
 * Most windows that are read. Unit: windows. Reason: every process holds them in memory; the earliest have precedence.
 */
export const maxAnnounced = 100

export interface StoredMaintenance extends Maintenance {
  readonly number: number
  readonly created_at: string
  readonly updated_at: string
  readonly cancelled_at: string | null
}

/** Windows that are neither over nor cancelled, earliest first. */
export const announced: Effect.Effect<ReadonlyArray<Maintenance>, SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(
  function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* windows(
      sql`where cancelled_at is null and ends_at > now() order by starts_at, id limit ${maxAnnounced}`
    )
    return rows.map(({ components, ends_at, id, message, message_en, starts_at, title, title_en }) => ({
      id,
      title,
      title_en,
      message,
      message_en,
      components,
      starts_at,
      ends_at
    }))
  }
)

/** Windows selected by `tail` (where, order, limit). */
export const windows = (
  tail: Statement.Fragment
): Effect.Effect<ReadonlyArray<StoredMaintenance>, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<MaintenanceRow>`select id, number, title, title_en, message, message_en, components, starts_at, ends_at,
        created_at, updated_at, cancelled_at
        from status_checker.maintenance ${tail}`,
      (rows) =>
        rows.map((row) => ({
          ...row,
          starts_at: row.starts_at.toISOString(),
          ends_at: row.ends_at.toISOString(),
          created_at: row.created_at.toISOString(),
          updated_at: row.updated_at.toISOString(),
          cancelled_at: iso(row.cancelled_at)
        }))
    )
  )

interface MaintenanceRow extends Omit<
  StoredMaintenance,
  "starts_at" | "ends_at" | "created_at" | "updated_at" | "cancelled_at"
> {
  readonly starts_at: Date
  readonly ends_at: Date
  readonly created_at: Date
  readonly updated_at: Date
  readonly cancelled_at: Date | null
}

const iso = (at: Date | null): string | null => (at === null ? null : at.toISOString())
