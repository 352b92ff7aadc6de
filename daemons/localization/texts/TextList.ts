/** Lists and counts of texts. Functions run in the surrounding transaction, as the platform role. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { sourceLocale, textStates } from "./Fields.ts"
import { containing } from "#core/sql/Like.ts"

export type State = (typeof textStates)[number]

/** A key with its text in one language. */
export interface TextRow {
  readonly key: string
  /** The English text. */
  readonly source: string
  /** Null: not translated, so readers get the English text. */
  readonly value: string | null
  readonly state: State
  /** Whether a person has changed what ships with the program. */
  readonly overridden: boolean
  readonly auto_translated: boolean
  /** MD5 of the English text that the value translates; of the present one when there is no value. */
  readonly source_hash: string
  readonly updated_at: Date
}

export interface Filter {
  /** Part of the key, the English text or the translation, in any letter case. */
  readonly q?: string | undefined
  readonly state?: State | undefined
}

/** Position after which a page begins. */
export interface Position {
  readonly rank: number
  readonly key: string
}

export const rankOf = (state: State): number => textStates.indexOf(state)

/** Texts of a language after a position: stale ones first, then by key. */
export const list = Effect.fnUntraced(function* (
  locale: string,
  { q, state }: Filter,
  after: Position | undefined,
  limit: number
) {
  const sql = yield* SqlClient.SqlClient
  const rows =
    locale === sourceLocale
      ? sql`select key, value as source, value, 'manual' as state, override is not null as overridden,
          false as auto_translated, source_hash, updated_at from localization.source_text where value is not null`
      : sql`select s.key, s.value as source, t.value,
          case when t.value is null then 'missing' when t.source_hash is distinct from s.source_hash then 'stale'
            when t.auto_translated then 'automatic' else 'manual' end as state,
          t.override is not null as overridden, coalesce(t.auto_translated, false) as auto_translated,
          coalesce(t.source_hash, s.source_hash) as source_hash, coalesce(t.updated_at, s.updated_at) as updated_at
        from localization.source_text s
        left join localization.translation t on t.locale = ${locale} and t.key = s.key
        where s.value is not null`
  const pattern = q === undefined ? undefined : containing(q)
  return yield* sql<TextRow>`select key, source, value, state, overridden, auto_translated, source_hash, updated_at
    from (select *, array_position(${[...textStates]}::text[], state) - 1 as rank
      from (${rows}) r) ranked
    where ${state === undefined ? sql`true` : sql`state = ${state}`}
      and ${
        pattern === undefined
          ? sql`true`
          : sql`(key ilike ${pattern} or source ilike ${pattern} or value ilike ${pattern})`
      }
      and ${after === undefined ? sql`true` : sql`(rank, key collate "C") > (${after.rank}::int, ${after.key})`}
    order by rank, key collate "C" limit ${limit}`
})

/** Counts of one language. Source: interface document 2 §2.5. */
export interface LanguageCounts {
  readonly code: string
  readonly label: string
  readonly total: number
  readonly translated: number
  readonly auto: number
  readonly manual: number
  /** Texts whose English source has changed since, and texts without translation. */
  readonly stale: number
}

export interface Statistics {
  readonly total_keys: number
  readonly languages: ReadonlyArray<LanguageCounts>
}

/** Counts of all languages, by code. */
export const statistics = Effect.fnUntraced(function* () {
  const sql = yield* SqlClient.SqlClient
  const [keys] = yield* sql<{ readonly count: number }>`select count(*)::int as count from localization.source_text
    where value is not null`
  const total = keys!.count
  const rows = yield* sql<Omit<LanguageCounts, "stale" | "total"> & { readonly fresh: number }>`
    select l.code, l.label, coalesce(c.translated, 0) as translated, coalesce(c.auto, 0) as auto,
      coalesce(c.manual, 0) as manual, coalesce(c.fresh, 0) as fresh
    from localization.language l left join (
      select t.locale, count(*)::int as translated, count(*) filter (where t.auto_translated)::int as auto,
        count(*) filter (where not t.auto_translated)::int as manual,
        count(*) filter (where t.source_hash = s.source_hash)::int as fresh
      from localization.translation t join localization.source_text s on s.key = t.key and s.value is not null
      where t.value is not null group by t.locale) c on c.locale = l.code
    where l.removed_at is null order by l.code`
  const languages = rows.map(({ fresh, ...row }): LanguageCounts =>
    row.code === sourceLocale
      ? { ...row, total, translated: total, manual: total, stale: 0 }
      : { ...row, total, stale: total - fresh }
  )
  return { total_keys: total, languages } satisfies Statistics
})
