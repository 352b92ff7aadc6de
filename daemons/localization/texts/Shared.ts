/**
 * Shares languages and texts of our own pages and mails with all processes (core/words/StoredTexts.ts): the texts that
 * people wrote or the engine translated, not those that ship. Runs in the surrounding transaction.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Writes only what has changed. Keys that begin with `server.` are those of core/words/ShippedTexts.ts. */
export const share = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`insert into core.text_language as held (code, label, removed)
    select code, label, removed_at is not null from localization.language
    on conflict (code) do update set label = excluded.label, removed = excluded.removed
      where (held.label, held.removed) is distinct from (excluded.label, excluded.removed)`
  yield* sql`with wanted as (
      select 'en' as locale, key, override as value from localization.source_text
      where key like 'server.%' and shipped is not null and override is not null
      union all
      select t.locale, t.key, t.value from localization.translation t
      join localization.source_text s on s.key = t.key and s.value is not null
      where t.key like 'server.%' and t.value is not null and t.value is distinct from t.shipped),
    stored as (
      insert into core.written_text as held (locale, key, value) select locale, key, value from wanted
      on conflict (locale, key) do update set value = excluded.value where held.value is distinct from excluded.value)
    update core.written_text held set value = null where value is not null
      and not exists (select 1 from wanted where wanted.locale = held.locale and wanted.key = held.key)`
})
