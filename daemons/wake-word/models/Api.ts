import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import * as Api from "#core/http/Api.ts"
import { inTenant, page, pageOf } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { maxFalseAcceptsPerHour, maxMissRate } from "#protocols/wake-word/Validate.ts"
import { ModelName } from "../vocabulary/Exports.ts"
import { GateRefused, ModelActive } from "./Errors.ts"
import { Curve, Metrics } from "./Metrics.ts"

const summary = {
  id: Schema.Int,
  tenant_id: Schema.Int,
  name: Schema.String,
  word: Schema.String,
  language: Schema.String,
  /** A score at or above it is a wake. 0 to 1. */
  threshold: Schema.Number,
  active: Schema.Boolean,
  /** Id of the extractor that the model was made with: its name and a digest of its files. */
  extractor: Schema.String,
  /** Of the model's file. Hex. */
  sha256: Schema.String,
  /** Unit: bytes. */
  size: Schema.Int,
  /** Of the training. Null for a model that was not trained here. */
  seed: Schema.NullOr(Schema.Int),
  job_id: Schema.NullOr(Schema.String),
  metrics: Metrics,
  /** Why activation needs `force`; empty: it does not. */
  gate: Schema.Array(Schema.String),
  created_at: Schema.String,
  /** When it was activated for the last time. */
  activated_at: Schema.NullOr(Schema.String)
}

export const ModelView = Schema.Struct(summary).annotate({ identifier: "WakeWordModel" })

export const ModelDetail = Schema.Struct({ ...summary, curve: Curve }).annotate({ identifier: "WakeWordModelDetail" })

const params = { name: ModelName }

const modelsGroup = HttpApiGroup.make("wakewordModels")
  .add(
    HttpApiEndpoint.get("list", "/", { query: { ...page(), ...inTenant }, success: pageOf(ModelView) })
      .annotate(Requires, "wakeword.read")
      .annotateMerge(OpenApi.annotations({ summary: "Trained models, newest first" })),
    HttpApiEndpoint.get("show", "/:name", { params, query: inTenant, success: ModelDetail, error: NotFound })
      .annotate(Requires, "wakeword.read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "One model with its measurements",
          description: "The curve has misses and false accepts for each threshold."
        })
      ),
    HttpApiEndpoint.get("file", "/:name/file", {
      params,
      query: inTenant,
      success: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "application/octet-stream" })),
      error: NotFound
    })
      .annotate(Requires, "wakeword.read")
      .annotateMerge(OpenApi.annotations({ summary: "File of a model: ONNX" })),
    HttpApiEndpoint.post("activate", "/:name/activate", {
      params,
      query: { ...inTenant, force: Schema.optionalKey(Schema.Literals(["true", "false"])) },
      success: ModelView,
      error: [NotFound, GateRefused]
    })
      .annotate(Requires, "wakeword.manage")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Activate a model for all users of the tenant",
          description:
            "Open connections use it within a second and lose no frame. 409 `gate_refused` for a model with more " +
            `than ${maxFalseAcceptsPerHour} false accepts an hour, that misses more than ${maxMissRate * 100} % of ` +
            "the utterances, or without measurements; `force` overrides this, and the audit log has it."
        })
      ),
    HttpApiEndpoint.post("deactivate", "/:name/deactivate", {
      params,
      query: inTenant,
      success: ModelView,
      error: NotFound
    })
      .annotate(Requires, "wakeword.manage")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Deactivate a model",
          description: "No model is active then, and browsers use their own recognition."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:name", {
      params,
      query: inTenant,
      success: HttpApiSchema.NoContent,
      error: [NotFound, ModelActive]
    })
      .annotate(Requires, "wakeword.manage")
      .annotateMerge(
        OpenApi.annotations({ summary: "Delete a model", description: "409 `model_active` for the active one." })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/wakeword/models")

export const ModelsApi = Api.make("wake-word-models").add(modelsGroup)
