/** Deletes the rows of removed keys once every copy in memory has learned of the removal. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Unit: days. Reason: processes compare their copies at the latest with the next request. */
const keptDays = 90

/** Runs in the surrounding transaction, as the platform role. */
export const pruneRemoved = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`with gone as (delete from localization.source_text
      where value is null and updated_at < now() - make_interval(days => ${keptDays}) returning key)
    delete from localization.translation t using gone where t.key = gone.key and t.value is null`
})
