/** Imports a file of translations. `decide` is pure; `apply` runs in the surrounding transaction. */
import { Effect, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { providerTenant } from "#core/auth/Caller.ts"
import * as Audit from "#core/log/Audit.ts"
import { announceTexts, History, Languages, otherPlaceholders, readMessage, Text } from "../texts/Exports.ts"
import { type FileEntry, type FileText, maxRefused } from "./Fields.ts"

interface HeldText {
  readonly key: string
  readonly source: string
  readonly source_hash: string
  readonly value: string | null
  /** Hash of the English text that the value translates. */
  readonly of: string | null
}

interface Refusal {
  /** A key, or a line of the file. */
  readonly at: string
  readonly message: string
}

export interface ImportResult {
  readonly changed: number
  readonly unchanged: number
  readonly refused: number
  /** The first refusals. */
  readonly problems: ReadonlyArray<Refusal>
}

const isText = Schema.is(Text)

/** What happens with a text of the file: it is stored, it is there already, or it is refused with a reason. */
export const decide = (
  held: HeldText | undefined,
  { source, value }: FileText
): "store" | "same" | { readonly problem: string } => {
  if (held === undefined) return { problem: "the key does not exist" }
  if (source !== undefined && source !== held.source)
    return { problem: "the English text has changed since the export" }
  if (held.value === value && held.of === held.source_hash) return "same"
  if (!isText(value)) return { problem: "the text is too long or has control characters" }
  const [from, to] = [readMessage(held.source), readMessage(value)]
  if (Result.isFailure(to)) return { problem: `the text ${to.failure}` }
  if (Result.isFailure(from)) return "store"
  const { missing, unknown } = otherPlaceholders(held.key, from.success, to.success)
  if (unknown.length > 0) return { problem: `the English text does not have ${unknown.join(", ")}` }
  return missing.length > 0 ? { problem: `the text lacks ${missing.join(", ")}` } : "store"
}

/** Stores the texts of a file as written by the author. */
export const apply = Effect.fnUntraced(function* (
  locale: string,
  entries: ReadonlyArray<FileEntry>,
  by: Languages.Author
) {
  const sql = yield* SqlClient.SqlClient
  yield* Languages.get(locale)
  // The last text of a key counts.
  const given = new Map(entries.flatMap((entry) => ("key" in entry ? [[entry.key, entry] as const] : [])))
  const held = new Map(
    (yield* sql<HeldText>`select s.key, s.value as source, s.source_hash, t.value, t.source_hash as of
      from localization.source_text s
      join jsonb_array_elements_text(${JSON.stringify([...given.keys()])}::text::jsonb) as given (key)
        on given.key = s.key
      left join localization.translation t on t.locale = ${locale} and t.key = s.key
      where s.value is not null`).map((row) => [row.key, row])
  )
  const refusals: Array<Refusal> = entries.flatMap((entry) =>
    "problem" in entry ? [{ at: entry.at.slice(0, 200), message: entry.problem }] : []
  )
  const stored: Array<FileText & HeldText> = []
  let unchanged = 0
  for (const [key, text] of given) {
    const known = held.get(key)
    const decision = decide(known, text)
    if (decision === "same") unchanged++
    else if (decision === "store") stored.push({ ...known!, value: text.value })
    else refusals.push({ at: key.slice(0, 200), message: decision.problem })
  }
  const rows = JSON.stringify(stored.map(({ key, source_hash, value }) => ({ key, value, hash: source_hash })))
  yield* sql`insert into localization.translation (locale, key, override, override_hash)
    select ${locale}, key, value, hash from jsonb_to_recordset(${rows}::text::jsonb)
      as given (key text, value text, hash text)
    on conflict (locale, key) do update set override = excluded.override, override_hash = excluded.override_hash,
      updated_at = now()`
  yield* History.record(
    stored.map(({ key, value }) => ({
      locale,
      key,
      kind: "imported" as const,
      before: held.get(key)?.value ?? null,
      after: value,
      actor: by.actor
    }))
  )
  const result = { changed: stored.length, unchanged, refused: refusals.length }
  yield* Audit.write({
    tenantId: providerTenant,
    actor: by.actor,
    address: by.address,
    action: "translation.imported",
    entity: "language",
    id: locale,
    detail: result
  })
  if (stored.length > 0) yield* announceTexts
  return { ...result, problems: refusals.slice(0, maxRefused) } satisfies ImportResult
})
