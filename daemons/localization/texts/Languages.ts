/** Statements of languages. Each runs in the surrounding transaction, as the platform role. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { providerTenant } from "#core/auth/Caller.ts"
import { NotFound } from "#core/http/Problem.ts"
import * as Audit from "#core/log/Audit.ts"
import { LanguageExists, LanguageRequired, TooManyTexts } from "./Errors.ts"
import { keptLocales, maxLanguages } from "./Fields.ts"
import { announceTexts } from "./Topic.ts"

export interface Language {
  readonly code: string
  readonly label: string
}

/** Who changes something, for the audit log. */
export interface Author {
  readonly actor: string
  readonly address?: string | undefined
}

/** All languages, by code. */
export const list = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<Language>`select code, label from localization.language where removed_at is null order by code`
)

const missing = new NotFound({ detail: "The language does not exist." })

/** The language with this code, or 404. */
export const get = Effect.fnUntraced(function* (code: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Language>`select code, label from localization.language
    where code = ${code} and removed_at is null`
  return row ?? (yield* missing)
})

const audit = (
  { actor, address }: Author,
  action: string,
  id: string,
  detail: Readonly<Record<string, unknown>> = {}
) => Audit.write({ tenantId: providerTenant, actor, address, action, entity: "language", id, detail })

/** Adds a language, or one that was removed. Its texts are English until they are translated. */
export const add = Effect.fnUntraced(function* ({ code, label }: Language, by: Author) {
  const sql = yield* SqlClient.SqlClient
  const known = yield* list
  if (known.some((language) => language.code === code))
    return yield* new LanguageExists({ detail: `The language ${code} exists already.` })
  if (known.length >= maxLanguages)
    return yield* new TooManyTexts({ detail: `There may be at most ${maxLanguages} languages.` })
  yield* sql`insert into localization.language (code, label) values (${code}, ${label})
    on conflict (code) do update set label = excluded.label, removed_at = null, created_at = now()`
  yield* audit(by, "language.added", code, { label })
  yield* announceTexts
  return { code, label } satisfies Language
})

/** Changes the name of a language. */
export const rename = Effect.fnUntraced(function* (code: string, label: string, by: Author) {
  const sql = yield* SqlClient.SqlClient
  yield* get(code)
  yield* sql`update localization.language set label = ${label} where code = ${code}`
  yield* audit(by, "language.renamed", code, { label })
  yield* announceTexts
  return { code, label } satisfies Language
})

/**
 * Removes a language and its automatic translations. Texts that people wrote are kept, and return when the language is
 * added again.
 */
export const remove = Effect.fnUntraced(function* (code: string, by: Author) {
  const sql = yield* SqlClient.SqlClient
  if (keptLocales.has(code)) return yield* new LanguageRequired({ detail: `The language ${code} cannot be removed.` })
  yield* get(code)
  yield* sql`update localization.language set removed_at = now() where code = ${code}`
  // The rows stay without content, so that copies in memory learn of the removal.
  yield* sql`update localization.translation set automatic = null, automatic_hash = null, updated_at = now()
    where locale = ${code} and automatic is not null`
  yield* audit(by, "language.removed", code)
  yield* announceTexts
})
