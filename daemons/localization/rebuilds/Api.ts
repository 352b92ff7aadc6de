import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { ProviderOnly, Requires } from "#core/auth/Permissions.ts"
import * as Api from "#core/http/Api.ts"
import { page } from "#core/http/Paging.ts"
import { NotConfigured, NotFound } from "#core/http/Problem.ts"
import { Locale } from "../texts/Exports.ts"
import { RebuildActive } from "./Errors.ts"
import { problemCodes } from "./RebuildProblem.ts"

export const RebuildView = Schema.Struct({
  id: Schema.String,
  /** Null: all languages. */
  locale: Schema.NullOr(Schema.String),
  state: Schema.Literals(["waiting", "running", "done", "failed", "cancelled"]),
  /** Different texts, each counted for each language. */
  total: Schema.Int,
  translated: Schema.Int,
  /** The translation was not usable, so the English text stays and the text is still stale. */
  kept: Schema.Int,
  /** The process ended before the answer came. The next rebuild asks for these texts again. */
  uncertain: Schema.Int,
  /** Why the rebuild failed, or why it makes no progress at the moment. English. */
  problem: Schema.NullOr(Schema.String),
  problem_code: Schema.NullOr(Schema.Literals(problemCodes)),
  /** Words of the network or of the translation server. */
  problem_detail: Schema.NullOr(Schema.String),
  requested_by: Schema.String,
  created_at: Schema.String,
  finished_at: Schema.NullOr(Schema.String)
}).annotate({ identifier: "TranslationRebuild" })

const params = { id: Schema.String.check(Schema.isUUID()) }

const rebuildsGroup = HttpApiGroup.make("i18nRebuilds")
  .add(
    HttpApiEndpoint.post("start", "/", {
      payload: Schema.Struct({ locale: Schema.optionalKey(Locale) }),
      success: RebuildView.pipe(HttpApiSchema.status(202)),
      error: [NotFound, RebuildActive, NotConfigured]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Translate stale texts",
        description:
          "Of one language, or of all. What a person wrote is not changed. 409 `not_configured` without a " +
          "translation server, 409 `rebuild_active` while another rebuild waits or runs."
      })
    ),
    HttpApiEndpoint.get("list", "/", {
      query: page(),
      success: Schema.Struct({ items: Schema.Array(RebuildView), next_before: Schema.NullOr(Schema.Int) })
    }).annotateMerge(OpenApi.annotations({ summary: "Rebuilds, newest first" })),
    HttpApiEndpoint.get("show", "/:id", { params, success: RebuildView, error: NotFound }).annotateMerge(
      OpenApi.annotations({ summary: "Progress of a rebuild", description: "A rebuild is kept for 90 days." })
    ),
    HttpApiEndpoint.post("cancel", "/:id/cancel", { params, success: RebuildView, error: NotFound }).annotateMerge(
      OpenApi.annotations({ summary: "Cancel a rebuild" })
    )
  )
  .middleware(Authentication)
  .annotate(Requires, "settings.manage")
  .annotate(ProviderOnly, true)
  .prefix("/api/v1/i18n/admin/rebuilds")

export const RebuildsApi = Api.make("localization-rebuilds").add(rebuildsGroup)
