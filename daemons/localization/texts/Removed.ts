/**
 * Deletes what removed keys and languages leave behind, once every copy in memory has learned of the removal. A key
 * that returns before has its automatic translations again. What people wrote stays, for the day when the key or the
 * language returns.
 */
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
  const old = sql`now() - make_interval(days => ${keptDays})`
  const isGone = sql`s.value is null and s.updated_at < ${old}`
  // Copies in memory learn of an emptied row and not of a deleted one, so an emptied row stays as long as its key.
  yield* sql`update localization.translation t set automatic = null, automatic_hash = null, updated_at = now()
    from localization.source_text s where s.key = t.key and ${isGone} and t.automatic is not null`
  const isEmpty = sql`t.value is null and t.updated_at < ${old}`
  yield* sql`delete from localization.translation t using localization.source_text s
    where s.key = t.key and ${isGone} and ${isEmpty}`
  yield* sql`delete from localization.translation t using localization.language l
    where l.code = t.locale and l.removed_at < ${old} and ${isEmpty}`
  yield* sql`delete from localization.source_text s where ${isGone}
    and not exists (select 1 from localization.translation t where t.key = s.key and t.override is null)`
})
