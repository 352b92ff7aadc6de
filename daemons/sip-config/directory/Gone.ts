/** Notes of what was deleted, for those who keep a picture. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * How long they stay. Unit: days. Reason: a picture that was not compared for a week says nothing any more
 * (SIGNALBOX_SWITCH_STALE_FOR at most).
 */
export const goneDays = 30

/** Removes those past their time; answers how many. */
export const prune = Effect.map(
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`delete from sip_config.gone where at < now() - make_interval(days => ${goneDays}) returning 1`
  ),
  (rows) => rows.length
)
