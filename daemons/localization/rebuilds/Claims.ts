/** The texts of a rebuild: taking a batch, and recording its results. Runs in the surrounding transaction. */
import { Effect, Result } from "effect"
import { SqlClient } from "effect/sql"
import { announceTexts } from "../texts/Exports.ts"
import { type Fragments, fragmentsOf } from "./Fragments.ts"
import { fields, type Rebuild } from "./Store.ts"

/**
 * Maximum number of texts considered for one batch. Reason: a batch has at most fifty fragments, and each text has one
 * or more.
 */
const candidates = 50

export interface TakenText {
  readonly locale: string
  readonly sourceHash: string
  readonly source: string
  readonly fragments: Fragments
}

export interface Limits {
  /** Fragments of one request. */
  readonly maxBatch: number
  /** Characters of one request. */
  readonly maxCharacters: number
}

/** Result of one text: its translation, or why the English text stays. */
export interface Outcome {
  readonly locale: string
  readonly sourceHash: string
  readonly result: Result.Result<string, string>
}

interface PendingRow {
  readonly source_hash: string
  readonly source: string
}

/**
 * Locks the rebuild and returns its state. Each transaction about its texts begins with it, because two that update the
 * texts first would wait for each other.
 */
const locked = (id: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ readonly state: string }>`select state from localization.rebuild where id = ${id} for update`,
      ([row]) => row?.state
    )
  )

/** The next language of the rebuild with texts that wait; undefined: none. */
export const nextLocale = (id: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ readonly locale: string }>`select locale from localization.rebuild_text
        where rebuild_id = ${id} and state = 'pending' order by locale limit 1`,
      ([row]) => row?.locale
    )
  )

/**
 * Takes the texts of one request: they are marked as asked before the request is sent. Texts that an engine cannot
 * translate get their outcome here. Undefined: no text waits, or the rebuild has ended.
 */
export const take = Effect.fnUntraced(function* (id: string, locale: string, limits: Limits) {
  const sql = yield* SqlClient.SqlClient
  if ((yield* locked(id)) !== "running") return undefined
  const rows = yield* sql<PendingRow>`select source_hash, source from localization.rebuild_text
    where rebuild_id = ${id} and locale = ${locale} and state = 'pending'
    order by source_hash limit ${candidates} for update skip locked`
  if (rows.length === 0) return undefined
  const taken: Array<TakenText> = []
  const outcomes: Array<Outcome> = []
  let [count, characters] = [0, 0]
  for (const { source, source_hash: sourceHash } of rows) {
    const cut = fragmentsOf(source, locale)
    const kept = (reason: string) => outcomes.push({ locale, sourceHash, result: Result.fail(reason) })
    if (Result.isFailure(cut)) {
      kept(cut.failure)
      continue
    }
    const { html, join } = cut.success
    const length = html.reduce((sum, part) => sum + part.length, 0)
    if (html.length > limits.maxBatch || length > limits.maxCharacters) kept("is too long for the engine")
    else if (html.length === 0) outcomes.push({ locale, sourceHash, result: join([]) })
    else if (count + html.length <= limits.maxBatch && characters + length <= limits.maxCharacters) {
      taken.push({ locale, sourceHash, source, fragments: cut.success })
      count += html.length
      characters += length
    }
  }
  if (taken.length > 0)
    yield* sql`update localization.rebuild_text set state = 'asked' where rebuild_id = ${id} and locale = ${locale}
      and source_hash = any(${taken.map(({ sourceHash }) => sourceHash)}::text[])`
  return { taken, outcomes }
})

/** Puts texts back into the queue that were taken but not sent, or that the engine refused without translating them. */
export const giveBack = (id: string, texts: ReadonlyArray<TakenText>) => mark(id, texts, "pending", null)

/** Marks texts as uncertain: they were sent, and no answer came, so the engine may have translated them. */
export const uncertain = Effect.fnUntraced(function* (id: string, texts: ReadonlyArray<TakenText>, reason: string) {
  const sql = yield* SqlClient.SqlClient
  const marked = yield* mark(id, texts, "uncertain", reason)
  yield* sql`update localization.rebuild set uncertain = uncertain + ${marked} where id = ${id}`
})

/** Changes the state of texts that are marked as asked; returns their number. */
const mark = Effect.fnUntraced(function* (
  id: string,
  texts: ReadonlyArray<TakenText>,
  state: "pending" | "uncertain",
  reason: string | null
) {
  const sql = yield* SqlClient.SqlClient
  if (texts.length === 0) return 0
  yield* locked(id)
  const rows = yield* sql`update localization.rebuild_text r set state = ${state}, reason = ${reason}
    from unnest(${texts.map(({ locale }) => locale)}::text[], ${texts.map(({ sourceHash }) => sourceHash)}::text[])
      as t (locale, source_hash)
    where r.rebuild_id = ${id} and r.locale = t.locale and r.source_hash = t.source_hash and r.state = 'asked'
    returning 1`
  return rows.length
})

/**
 * Stores translations for all keys with these English texts, unless a person wrote them, and counts them. An outcome
 * that arrives late, after its text counted as uncertain, is stored too.
 */
export const record = Effect.fnUntraced(function* (id: string, outcomes: ReadonlyArray<Outcome>) {
  const sql = yield* SqlClient.SqlClient
  yield* locked(id)
  const rows = outcomes.map(({ locale, result, sourceHash }) => ({
    locale,
    source_hash: sourceHash,
    value: Result.isSuccess(result) ? result.success : null,
    reason: Result.isSuccess(result) ? null : result.failure
  }))
  const marked = yield* sql<{ readonly before: string; readonly state: string }>`
    update localization.rebuild_text r set state = case when t.value is null then 'kept' else 'translated' end,
      reason = t.reason
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
        as t (locale text, source_hash text, value text, reason text)
      join localization.rebuild_text old on old.rebuild_id = ${id} and old.locale = t.locale
        and old.source_hash = t.source_hash
    where r.rebuild_id = ${id} and r.locale = t.locale and r.source_hash = t.source_hash
      and r.state in ('pending', 'asked', 'uncertain')
    returning old.state as before, r.state`
  yield* sql`with new as (
      select t.locale, s.key, t.value, t.source_hash, held.value as before
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as t (locale text, source_hash text, value text)
      join localization.source_text s on s.source_hash = t.source_hash
      left join localization.translation held on held.locale = t.locale and held.key = s.key
      where t.value is not null and held.override is null and held.shipped is null),
    stored as (insert into localization.translation (locale, key, automatic, automatic_hash)
      select locale, key, value, source_hash from new
      on conflict (locale, key) do update set automatic = excluded.automatic,
        automatic_hash = excluded.automatic_hash, updated_at = now()
      returning locale, key)
    insert into localization.text_change (locale, key, kind, before, after, actor)
    select new.locale, new.key, 'automatic', new.before, new.value, 'system' from new
    join stored on stored.locale = new.locale and stored.key = new.key`
  const of = (state: string) => marked.filter((row) => row.state === state).length
  const [row] = yield* sql<Rebuild>`update localization.rebuild set translated = translated + ${of("translated")},
      kept = kept + ${of("kept")},
      uncertain = uncertain - ${marked.filter(({ before }) => before === "uncertain").length},
      problem = null, problem_code = null, problem_detail = null
    where id = ${id} returning ${fields(sql)}`
  if (rows.some(({ value }) => value !== null)) yield* announceTexts
  return row
})
