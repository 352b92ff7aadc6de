/** Deletion notes: rows that tell the projections which rows were deleted. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * How long deletion notes stay. Unit: days. Reason: a projection older than SIGNALBOX_SWITCH_STALE_FOR (at most 7 days)
 * is no longer used.
 */
export const goneDays = 30

/** Deletes expired notes and returns their number. */
export const prune = Effect.map(
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`delete from sip_config.gone where at < now() - make_interval(days => ${goneDays}) returning 1`
  ),
  (rows) => rows.length
)
