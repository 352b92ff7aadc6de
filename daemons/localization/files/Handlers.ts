import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import * as Handlers from "#core/http/Handlers.ts"
import { InvalidRequest, orUnavailable } from "#core/http/Problem.ts"
import { transaction } from "#core/sql/Sql.ts"
import { author, Languages } from "../texts/Exports.ts"
import { shownNow } from "../text-memory/TextProjection.ts"
import { FilesApi } from "./Api.ts"
import { contentTypes, type FileFormat } from "./Fields.ts"
import * as Files from "./Files.ts"
import * as Import from "./Import.ts"

const invalid = (field: string, message: string) => new InvalidRequest({ errors: [{ field, message }] })

const imported = Effect.fnUntraced(function* (locale: string, file: string, format: FileFormat) {
  if (!Files.isImportable(locale)) return yield* invalid("params.locale", "must not be en, the language of the source")
  const by = yield* author
  const entries = yield* Effect.mapError(Files.entriesOf(file, format), ({ detail }) => invalid("payload", detail))
  return yield* shownNow(orUnavailable(transaction(Import.apply(locale, entries, by))))
})

export const files = Handlers.group(FilesApi, "i18nFiles", (handlers) =>
  handlers.handleAll({
    exported: Effect.fnUntraced(function* ({ params: { locale }, query: { format, state } }) {
      const file = yield* orUnavailable(
        transaction(Effect.andThen(Languages.get(locale), Files.exported(locale, format, state)))
      )
      return HttpServerResponse.uint8Array(Buffer.from(file), {
        contentType: contentTypes[format],
        headers: {
          "content-disposition": `attachment; filename="texts-${locale}.${format === "csv" ? "csv" : "xlf"}"`,
          "x-content-type-options": "nosniff"
        }
      })
    }),
    importCsv: ({ params: { locale }, payload }) => imported(locale, payload, "csv"),
    importXliff: ({ params: { locale }, payload }) => imported(locale, payload, "xliff")
  })
)
