import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { ProviderOnly, Requires } from "#core/auth/Permissions.ts"
import * as Api from "#core/http/Api.ts"
import { NotFound } from "#core/http/Problem.ts"
import { LocaleName, TextState } from "../texts/Exports.ts"
import { FileFormat } from "./Fields.ts"

export const ImportView = Schema.Struct({
  changed: Schema.Int,
  unchanged: Schema.Int,
  refused: Schema.Int,
  /** The first refusals; `at` is a key, or a line of the file. */
  problems: Schema.Array(Schema.Struct({ at: Schema.String, message: Schema.String }))
}).annotate({ identifier: "TranslationImport" })

const params = { locale: LocaleName }

const filesGroup = HttpApiGroup.make("i18nFiles")
  .add(
    HttpApiEndpoint.get("exported", "/:locale", {
      params,
      query: { format: FileFormat, state: Schema.optionalKey(TextState) },
      success: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "application/octet-stream" })),
      error: NotFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Texts of a language as a file",
        description:
          "CSV with the columns `key`, `english`, `translation` and `state`, or XLIFF 1.2. In CSV, an apostrophe " +
          "stands before texts that spreadsheets would compute."
      })
    ),
    HttpApiEndpoint.post("importCsv", "/:locale/csv", {
      params,
      payload: Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/csv" })),
      success: ImportView,
      error: NotFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Import translations from a CSV file",
        description:
          "UTF-8, at most 16 MiB, with the columns `key` and `translation`, and optionally `english`. Empty " +
          "translations are ignored. A text is refused when its key does not exist, when the English text is another " +
          "by now, or when it is no valid message. Other texts are stored as written by the caller."
      })
    ),
    HttpApiEndpoint.post("importXliff", "/:locale/xliff", {
      params,
      payload: Schema.String.pipe(HttpApiSchema.asText({ contentType: "application/xliff+xml" })),
      success: ImportView,
      error: NotFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Import translations from an XLIFF file",
        description: "XLIFF 1.2 or 2, at most 16 MiB, as the CSV import. Inline elements are refused."
      })
    )
  )
  .middleware(Authentication)
  .annotate(Requires, "settings.manage")
  .annotate(ProviderOnly, true)
  .prefix("/api/v1/i18n/admin/files")

export const FilesApi = Api.make("localization-files").add(filesGroup)
