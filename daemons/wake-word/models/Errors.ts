/** Refusals of the models' endpoints. */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 409: the model is worse than the bounds of `Gate.ts`; `reasons` lists the bounds. `force` overrides this. */
export class GateRefused extends HttpApiError.Problem<GateRefused>()(
  "GateRefused",
  declaration("gate_refused", 409, "The model does not reach the bounds for activation"),
  { ...codeField("gate_refused"), reasons: Schema.Array(Schema.String) }
) {}

/** 409: the model is active, so it cannot be deleted. */
export class ModelActive extends HttpApiError.Problem<ModelActive>()(
  "ModelActive",
  declaration("model_active", 409, "The model is active"),
  codeField("model_active")
) {}
