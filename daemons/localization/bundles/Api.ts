/** The public endpoints. The lane (BundleLane.ts) answers them; they are declared here for the documentation. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"
import { NotFound } from "#core/http/Problem.ts"
import { maxAge } from "./Rendered.ts"

const LanguageEntry = Schema.Struct({ code: Schema.String, label: Schema.String }).annotate({
  identifier: "LanguageEntry"
})

const bundlesGroup = HttpApiGroup.make("i18n")
  .add(
    HttpApiEndpoint.get("languages", "/languages", { success: Schema.Array(LanguageEntry) }).annotateMerge(
      OpenApi.annotations({ summary: "All languages" })
    ),
    HttpApiEndpoint.get("bundle", "/bundles/:locale", {
      params: { locale: Schema.String },
      success: Schema.Record(Schema.String, Schema.String),
      error: NotFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "All texts of a language by their keys",
        description:
          "Texts without translation are English. Texts may have placeholders in braces and ICU plurals. They are " +
          "plain text: a program that shows them as HTML must escape them."
      })
    ),
    HttpApiEndpoint.get("text", "/texts/:locale/:key", {
      params: { locale: Schema.String, key: Schema.String },
      success: Schema.Struct({ locale: Schema.String, key: Schema.String, value: Schema.String }),
      error: NotFound
    }).annotateMerge(OpenApi.annotations({ summary: "One text" }))
  )
  .prefix("/api/v1/i18n")
  .annotateMerge(
    OpenApi.annotations({
      description:
        `Public: no login, readable by scripts of any page. Answers may be cached for ${maxAge} seconds and have a ` +
        "strong ETag; If-None-Match gives 304. Answers are available in gzip and brotli."
    })
  )

export const BundlesApi = Api.make("localization-bundles").add(bundlesGroup)
