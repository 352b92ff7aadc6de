/** Refusals of the training's endpoints. */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 409: another model, or an open training, of the tenant has the name. */
export class ModelNameTaken extends HttpApiError.Problem<ModelNameTaken>()(
  "ModelNameTaken",
  declaration("model_name_taken", 409, "Another model has this name"),
  codeField("model_name_taken")
) {}

/** 409: `limit` trainings of the tenant wait or run. */
export class TrainingQuota extends HttpApiError.Problem<TrainingQuota>()(
  "TrainingQuota",
  declaration("training_quota", 409, "The tenant has too many open trainings"),
  { ...codeField("training_quota"), limit: Schema.Int }
) {}

/** 409: the training has ended, so it cannot be cancelled. */
export class TrainingEnded extends HttpApiError.Problem<TrainingEnded>()(
  "TrainingEnded",
  declaration("training_ended", 409, "The training has ended"),
  codeField("training_ended")
) {}

/** 409: no voice of this machine speaks the language; `languages` lists those that are spoken. */
export class LanguageUnknown extends HttpApiError.Problem<LanguageUnknown>()(
  "LanguageUnknown",
  declaration("language_unknown", 409, "No voice speaks this language"),
  { ...codeField("language_unknown"), languages: Schema.Array(Schema.String) }
) {}
