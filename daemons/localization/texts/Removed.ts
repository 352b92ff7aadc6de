/** Deletes the rows of removed keys once every copy in memory has learned of the removal. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * How long the row of a removed key is kept. Unit: days. Reason: a process that is asked for texts compares its copy
 * first, so it learns of the removal unless it serves nothing for this long.
 */
const keptDays = 90

/** Runs in the surrounding transaction, as the platform role. */
export const pruneRemoved = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`with gone as (delete from localization.source_text
      where value is null and updated_at < now() - make_interval(days => ${keptDays}) returning key)
    delete from localization.translation t using gone where t.key = gone.key and t.value is null`
})
