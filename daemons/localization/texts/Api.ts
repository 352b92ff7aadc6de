import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { ProviderOnly, Requires } from "#core/auth/Permissions.ts"
import * as Api from "#core/http/Api.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { page, pageOf, plainText } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { InvalidMessage, LanguageExists, LanguageRequired, TooManyTexts } from "./Errors.ts"
import { Key, Label, Locale, LocaleName, Text, TextState } from "./Fields.ts"

export const LanguageView = Schema.Struct({
  /** Language tag such as `de` or `pt-BR`. */
  code: Schema.String,
  /** Name of the language, in this language. */
  label: Schema.String
}).annotate({ identifier: "Language" })

export const TranslationView = Schema.Struct({
  locale: Schema.String,
  key: Schema.String,
  value: Schema.String,
  auto_translated: Schema.Boolean,
  /** Whether the English text has changed since. */
  stale: Schema.Boolean,
  /** MD5 of the English text that the value translates. Hex. */
  source_hash: Schema.String
}).annotate({ identifier: "Translation" })

export const StatisticsView = Schema.Struct({
  total_keys: Schema.Int,
  languages: Schema.Array(
    Schema.Struct({
      code: Schema.String,
      label: Schema.String,
      total: Schema.Int,
      translated: Schema.Int,
      auto: Schema.Int,
      manual: Schema.Int,
      /** Texts whose English source has changed since, and texts without translation. */
      stale: Schema.Int
    })
  )
}).annotate({ identifier: "TranslationStatistics" })

export const TextView = Schema.Struct({
  key: Schema.String,
  /** The English text. */
  source: Schema.String,
  /** Null: not translated, so readers get the English text. */
  value: Schema.NullOr(Schema.String),
  state: TextState,
  /** Whether a person has changed what ships with the program. */
  overridden: Schema.Boolean,
  auto_translated: Schema.Boolean,
  source_hash: Schema.String,
  updated_at: Schema.String
}).annotate({ identifier: "TranslatedText" })

export const TextPage = Schema.Struct({
  items: Schema.Array(TextView),
  /** Value of `after` for the next page; null on the last page. */
  next_after: Schema.NullOr(Schema.String)
})

export const ChangeView = Schema.Struct({
  id: Schema.Int,
  locale: Schema.String,
  key: Schema.String,
  /**
   * - `override`, `imported`: a person wrote the text, in the console or in a file.
   * - `reverted`: the person's text was removed. `shipped`: a new version of the program has another text.
   * - `automatic`: the engine translated the text. `forgotten`: this translation was removed.
   */
  kind: Schema.Literals(["override", "reverted", "shipped", "automatic", "forgotten", "imported"]),
  before: Schema.NullOr(Schema.String),
  after: Schema.NullOr(Schema.String),
  /** `user:12`, `service:3`, `operator`, or `system`. */
  actor: Schema.String,
  at: Schema.String
}).annotate({ identifier: "TextChange" })

const locale = { locale: LocaleName }
const text = { locale: LocaleName, key: Key }

const textsGroup = HttpApiGroup.make("i18nAdmin")
  .add(
    HttpApiEndpoint.get("statistics", "/statistics", { success: StatisticsView }).annotateMerge(
      OpenApi.annotations({ summary: "Numbers of translated and stale texts by language" })
    ),
    HttpApiEndpoint.post("addLanguage", "/languages", {
      headers: Idempotency.headers,
      payload: Schema.Struct({ code: Locale, label: Label }),
      success: LanguageView.pipe(HttpApiSchema.status(201)),
      error: [LanguageExists, TooManyTexts]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Add a language",
        description: "Its texts are English until they are translated: `POST /api/v1/i18n/admin/rebuilds`."
      })
    ),
    HttpApiEndpoint.put("renameLanguage", "/languages/:locale", {
      params: locale,
      payload: Schema.Struct({ label: Label }),
      success: LanguageView,
      error: NotFound
    }).annotateMerge(OpenApi.annotations({ summary: "Change the name of a language" })),
    HttpApiEndpoint.delete("removeLanguage", "/languages/:locale", {
      params: locale,
      success: HttpApiSchema.NoContent,
      error: [NotFound, LanguageRequired]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Remove a language",
        description:
          "Removes its automatic translations. What people wrote comes back when the language is added again. 409 " +
          "`language_required` for `de` and `en`."
      })
    ),
    HttpApiEndpoint.post("forget", "/languages/:locale/forget", {
      params: locale,
      success: Schema.Struct({ forgotten: Schema.Int }),
      error: NotFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Forget the automatic translations of a language",
        description: "What people wrote stays. Readers get the English texts until the next rebuild."
      })
    ),
    HttpApiEndpoint.get("texts", "/translations/:locale", {
      params: locale,
      query: {
        limit: page().limit,
        after: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(300))),
        q: Schema.optionalKey(plainText(200)),
        state: Schema.optionalKey(TextState)
      },
      success: TextPage,
      error: NotFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Texts of a language beside the English ones",
        description:
          "Stale texts first, then missing, automatic and manual ones, each by key. `q` finds a part of the key, the " +
          "English text or the translation, in any letter case."
      })
    ),
    HttpApiEndpoint.put("put", "/translations/:locale/:key", {
      params: text,
      payload: Schema.Struct({ value: Text }),
      success: TranslationView,
      error: [NotFound, InvalidMessage, TooManyTexts]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Override a text",
        description:
          "For `en`, a new key is registered, and a changed text makes the other languages stale. A text with braces " +
          "must be a valid ICU message. 422 `invalid_message` otherwise, and for placeholders that the English text " +
          "does not have."
      })
    ),
    HttpApiEndpoint.delete("revert", "/translations/:locale/:key", {
      params: text,
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Remove an override",
        description:
          "The shipped or automatic text takes its place. For `en`, a text that does not ship is removed with its key."
      })
    ),
    HttpApiEndpoint.get("history", "/translations/:locale/:key/history", {
      params: text,
      query: page(),
      success: pageOf(ChangeView)
    }).annotateMerge(OpenApi.annotations({ summary: "Changes of a text, newest first" }))
  )
  .middleware(Authentication)
  .annotate(Requires, "settings.manage")
  .annotate(ProviderOnly, true)
  .prefix("/api/v1/i18n/admin")

export const TextsApi = Api.make("localization-texts").add(textsGroup)
