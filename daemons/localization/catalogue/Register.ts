/**
 * Registers the texts that ship with the program. What people wrote stays. A text that no longer ships is removed,
 * unless a person has overridden it. Runs in the surrounding transaction, as the platform role.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { announceTexts, sourceLocale } from "../texts/Exports.ts"
import type { ShippedTexts } from "./ShippedTexts.ts"

/** Lock of the registration: several processes may start at once. */
const lock = "localization shipped texts"

/** Returns the number of English texts that have changed. */
export const register = Effect.fnUntraced(function* (shipped: ShippedTexts) {
  const sql = yield* SqlClient.SqlClient
  const rows = JSON.stringify(Array.from(shipped, ([key, { de, en }]) => ({ key, en, de: de ?? null })))
  const given = sql`jsonb_to_recordset(${rows}::text::jsonb) as given (key text, en text, de text)`
  yield* sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`
  const changed = yield* sql`with changed as (
      insert into localization.source_text as held (key, shipped) select key, en from ${given}
      on conflict (key) do update set shipped = excluded.shipped, updated_at = now()
        where held.shipped is distinct from excluded.shipped
      returning key)
    select changed.key from changed`
  const gone = yield* sql`update localization.source_text set shipped = null, updated_at = now()
    where shipped is not null and key not in (select key from ${given}) returning key`
  const translated = yield* sql`with old as (
      select locale, key, value, shipped from localization.translation where locale = 'de'),
    stored as (
      insert into localization.translation as held (locale, key, shipped, shipped_hash)
      select 'de', key, de, md5(en) from ${given} where de is not null
      on conflict (locale, key) do update set shipped = excluded.shipped, shipped_hash = excluded.shipped_hash,
        updated_at = now()
      where held.shipped is distinct from excluded.shipped or held.shipped_hash is distinct from excluded.shipped_hash
      returning key, value)
    insert into localization.text_change (locale, key, kind, before, after, actor)
    select 'de', stored.key, 'shipped', old.value, stored.value, 'system' from stored join old on old.key = stored.key
    where old.shipped is not null and old.value is distinct from stored.value returning 1`
  const untranslated = yield* sql`update localization.translation set shipped = null, shipped_hash = null,
      updated_at = now()
    where locale <> ${sourceLocale} and shipped is not null
      and key not in (select key from ${given} where de is not null) returning 1`
  if (changed.length + gone.length + translated.length + untranslated.length > 0) yield* announceTexts
  return changed.length + gone.length
})
