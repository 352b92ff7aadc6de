/** Changes of texts by people. Each runs in the surrounding transaction, as the platform role. */
import { Effect, Result } from "effect"
import { SqlClient } from "effect/sql"
import { providerTenant } from "#core/auth/Caller.ts"
import { NotFound } from "#core/http/Problem.ts"
import * as Audit from "#core/log/Audit.ts"
import { type Message, readMessage } from "#core/words/Message.ts"
import { InvalidMessage, TooManyTexts } from "./Errors.ts"
import { maxKeys, sourceLocale } from "./Fields.ts"
import * as History from "./History.ts"
import * as Languages from "./Languages.ts"
import { otherPlaceholders } from "./OtherPlaceholders.ts"
import { announceTexts } from "./Topic.ts"

/** A text in one language. Source: interface document 2 §2.5. */
export interface Translation {
  readonly locale: string
  readonly key: string
  readonly value: string
  readonly auto_translated: boolean
  /** Whether the English text has changed since. */
  readonly stale: boolean
  /** MD5 of the English text that the value translates. Hex. */
  readonly source_hash: string
}

interface SourceRow {
  readonly value: string | null
  readonly shipped: string | null
  readonly source_hash: string | null
}

/** The message of a text, or 422. */
const messageOf = (text: string): Effect.Effect<Message, InvalidMessage> => {
  const read = readMessage(text)
  return Result.isSuccess(read)
    ? Effect.succeed(read.success)
    : Effect.fail(new InvalidMessage({ detail: `The text ${read.failure}.`, placeholders: [] }))
}

const sourceOf = Effect.fnUntraced(function* (key: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<SourceRow>`select value, shipped, source_hash from localization.source_text
    where key = ${key} for update`
  return row
})

const missingKey = new NotFound({ detail: "The key does not exist." })

/** The English text of a key, or 404. */
const existing = Effect.fnUntraced(function* (key: string) {
  const row = yield* sourceOf(key)
  return row === undefined || row.value === null || row.source_hash === null
    ? yield* missingKey
    : { value: row.value, shipped: row.shipped, source_hash: row.source_hash }
})

const audit = (by: Languages.Author, action: string, locale: string, key: string) =>
  Audit.write({
    tenantId: providerTenant,
    actor: by.actor,
    address: by.address,
    action,
    entity: "translation",
    id: `${locale}/${key}`
  })

/**
 * Stores what a person wrote. In English, a new key is registered, and a changed text makes the other languages stale.
 * In other languages the key must exist, and its placeholders must be those of the English text.
 */
export const put = Effect.fnUntraced(function* (
  locale: string,
  key: string,
  value: string,
  by: Languages.Author,
  kind: "override" | "imported" = "override"
) {
  yield* Languages.get(locale)
  const message = yield* messageOf(value)
  const written = yield* locale === sourceLocale
    ? putSource(key, value, message)
    : putTranslation(locale, key, value, message)
  yield* History.record([{ locale, key, kind, before: written.before, after: value, actor: by.actor }])
  yield* audit(by, "translation.overridden", locale, key)
  yield* announceTexts
  return {
    locale,
    key,
    value,
    auto_translated: false,
    stale: false,
    source_hash: written.source_hash
  } satisfies Translation
})

/** 422 when the message has other placeholders than its source. */
const refuseOthers = Effect.fnUntraced(function* (key: string, source: string, message: Message) {
  const { missing, unknown } = otherPlaceholders(key, yield* messageOf(source), message)
  if (unknown.length > 0)
    return yield* new InvalidMessage({
      detail: `The English text does not have these placeholders, or uses them otherwise: ${unknown.join(", ")}.`,
      placeholders: unknown
    })
  if (missing.length > 0)
    return yield* new InvalidMessage({
      detail: `The text lacks these placeholders: ${missing.join(", ")}.`,
      placeholders: missing
    })
})

const putSource = Effect.fnUntraced(function* (key: string, value: string, message: Message) {
  const sql = yield* SqlClient.SqlClient
  const before = yield* sourceOf(key)
  // The program fills the placeholders of the text that ships.
  if (before?.shipped !== null && before?.shipped !== undefined) yield* refuseOthers(key, before.shipped, message)
  if ((before?.value ?? null) === null) {
    const [known] = yield* sql<{ readonly count: number }>`select count(*)::int as count from localization.source_text
      where value is not null`
    if (known!.count >= maxKeys) return yield* new TooManyTexts({ detail: `There may be at most ${maxKeys} keys.` })
  }
  const [row] = yield* sql<{ readonly source_hash: string }>`insert into localization.source_text (key, override)
    values (${key}, ${value}) on conflict (key) do update set override = excluded.override, updated_at = now()
    returning source_hash`
  return { before: before?.value ?? null, source_hash: row!.source_hash }
})

const putTranslation = Effect.fnUntraced(function* (locale: string, key: string, value: string, message: Message) {
  const sql = yield* SqlClient.SqlClient
  const source = yield* existing(key)
  yield* refuseOthers(key, source.value, message)
  const [before] = yield* sql<{ readonly value: string | null }>`select value from localization.translation
    where locale = ${locale} and key = ${key}`
  yield* sql`insert into localization.translation (locale, key, override, override_hash)
    values (${locale}, ${key}, ${value}, ${source.source_hash})
    on conflict (locale, key) do update set override = excluded.override, override_hash = excluded.override_hash,
      updated_at = now()`
  return { before: before?.value ?? null, source_hash: source.source_hash }
})

/**
 * Removes what a person wrote: the shipped or automatic text takes its place. An English text that does not ship is
 * removed with its key.
 */
export const revert = Effect.fnUntraced(function* (locale: string, key: string, by: Languages.Author) {
  const sql = yield* SqlClient.SqlClient
  yield* Languages.get(locale)
  const source = yield* existing(key)
  if (locale === sourceLocale) {
    const [row] = yield* sql<{ readonly value: string | null }>`update localization.source_text
      set override = null, updated_at = now() where key = ${key} and override is not null returning value`
    if (row === undefined) return yield* new NotFound({ detail: "Nobody has written this text." })
    yield* History.record([{ locale, key, kind: "reverted", before: source.value, after: row.value, actor: by.actor }])
    // The rows stay without content, so that copies in memory learn of the removal.
    if (row.value === null)
      yield* sql`update localization.translation set shipped = null, override = null, automatic = null,
        updated_at = now() where key = ${key}`
  } else {
    const [row] = yield* sql<{ readonly before: string; readonly value: string | null }>`
      update localization.translation t set override = null, override_hash = null, updated_at = now()
      from (select override from localization.translation where locale = ${locale} and key = ${key} for update) old
      where t.locale = ${locale} and t.key = ${key} and old.override is not null
      returning old.override as before, t.value`
    if (row === undefined) return yield* new NotFound({ detail: "Nobody has written this text." })
    yield* History.record([{ locale, key, kind: "reverted", before: row.before, after: row.value, actor: by.actor }])
  }
  yield* audit(by, "translation.reverted", locale, key)
  yield* announceTexts
})

/** Removes the automatic translations of a language. Returns their number. */
export const forget = Effect.fnUntraced(function* (locale: string, by: Languages.Author) {
  const sql = yield* SqlClient.SqlClient
  yield* Languages.get(locale)
  const [row] = yield* sql<{ readonly count: number }>`with gone as (
      update localization.translation t set automatic = null, automatic_hash = null, updated_at = now()
      from (select locale, key, automatic, auto_translated from localization.translation
        where locale = ${locale} and automatic is not null for update) old
      where t.locale = old.locale and t.key = old.key
      returning t.locale, t.key, old.automatic, old.auto_translated, t.value),
    told as (insert into localization.text_change (locale, key, kind, before, after, actor)
      select locale, key, 'forgotten', automatic, value, ${by.actor} from gone where auto_translated returning 1)
    select count(*)::int as count from gone`
  yield* Audit.write({
    tenantId: providerTenant,
    actor: by.actor,
    address: by.address,
    action: "language.forgotten",
    entity: "language",
    id: locale,
    detail: { forgotten: row!.count }
  })
  yield* announceTexts
  return row!.count
})
