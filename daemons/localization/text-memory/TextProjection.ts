/** A copy of all texts, compared with Postgres at most a second before an answer. */
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as Projection from "#core/lane/Projection.ts"
import { textTopic } from "../texts/Exports.ts"
import * as TextBook from "./TextBook.ts"

/** Time limit of a comparison. Unit: milliseconds. Reason: the first one reads up to 100,000 keys in all languages. */
const longest = 20_000

export class TextProjection extends Context.Service<
  TextProjection,
  { readonly projection: Projection.Projection; readonly book: TextBook.TextBook }
>()("signalbox/localization/TextProjection") {}

export const layer = Layer.effect(
  TextProjection,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const book = TextBook.make()
    const projection = yield* Projection.make({
      name: "texts",
      topic: textTopic,
      longest,
      sources: {
        languages: {
          changed: (since) => sql`select code, label, removed_at is not null as removed from localization.language
            where ${Projection.after(sql, since)}`,
          apply: (rows: ReadonlyArray<TextBook.LanguageRow>) => book.putLanguages(rows)
        },
        sources: {
          changed: (since) => sql`select key, value, source_hash from localization.source_text
            where ${Projection.after(sql, since)}`,
          apply: (rows: ReadonlyArray<TextBook.SourceRow>) => book.putSources(rows)
        },
        translations: {
          changed: (since) => sql`select locale, key, value, source_hash from localization.translation
            where ${Projection.after(sql, since)}`,
          apply: (rows: ReadonlyArray<TextBook.TranslationRow>) => book.putTranslations(rows)
        }
      }
    })
    return TextProjection.of({ projection, book })
  })
)

/**
 * Compares the copy of this process after a change of its own, so that the author reads the change at once. Without
 * Postgres the copy stays as it was.
 */
export const shownNow = <A, E, R>(change: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | TextProjection> =>
  Effect.tap(change, () => Effect.flatMap(TextProjection, ({ projection }) => Effect.ignore(projection.refresh)))
