/** The history of texts. Functions run in the surrounding transaction, as the platform role. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** How long changes are kept. Unit: days. Reason: as the audit log. */
export const keptDays = 400

export type ChangeKind = "override" | "reverted" | "shipped" | "automatic" | "forgotten" | "imported"

export interface TextChange {
  readonly locale: string
  readonly key: string
  readonly kind: ChangeKind
  readonly before: string | null
  readonly after: string | null
  readonly actor: string
}

/** Records changes in one statement. */
export const record = Effect.fnUntraced(function* (changes: ReadonlyArray<TextChange>) {
  const sql = yield* SqlClient.SqlClient
  if (changes.length === 0) return
  yield* sql`insert into localization.text_change (locale, key, kind, before, after, actor)
    select locale, key, kind, before, after, actor from jsonb_to_recordset(${JSON.stringify(changes)}::text::jsonb)
      as change (locale text, key text, kind text, before text, after text, actor text)`
})

/** Changes of one text before the id `before`, newest first. */
export const list = (locale: string, key: string, before: number | undefined, limit: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<TextChange & { readonly id: number; readonly at: Date }>`
      select id::float8 as id, locale, key, kind, before, after, actor, at from localization.text_change
      where locale = ${locale} and key = ${key} and ${before === undefined ? sql`true` : sql`id < ${before}`}
      order by id desc limit ${limit}`
  )

/** Deletes old changes. */
export const prune = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`delete from localization.text_change where at < now() - make_interval(days => ${keptDays})`
)
