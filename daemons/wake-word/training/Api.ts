import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import * as Api from "#core/http/Api.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { BodyId, inTenant, page, pageOf } from "#core/http/Paging.ts"
import { NotConfigured, NotFound } from "#core/http/Problem.ts"
import { ModelName, SpokenLanguage, Word } from "../vocabulary/Exports.ts"
import { LanguageUnknown, ModelNameTaken, TrainingEnded, TrainingQuota } from "./Errors.ts"
import { jobStates, phases, sizes } from "./Phases.ts"

/** Largest seed. Reason: seeds of the generators have 32 bits; JSON and Postgres `int` hold 31. */
export const maxSeed = 2_147_483_647

/**
 * `language`: of the word; default: that of the request. `name`: of the model; default: the word with a number. `seed`:
 * the same seed, word, voices and recordings give the same model; default: 1. `use_uploads`: whether recordings of the
 * word are used too; default: true.
 */
export const NewTraining = Schema.Struct({
  word: Word,
  language: Schema.optionalKey(SpokenLanguage),
  name: Schema.optionalKey(ModelName),
  seed: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: maxSeed }))),
  size: Schema.optionalKey(Schema.Literals(sizes)),
  use_uploads: Schema.optionalKey(Schema.Boolean),
  tenant_id: Schema.optionalKey(BodyId)
})

export const PhaseProgress = Schema.Struct({
  phase: Schema.Literals(phases),
  /** 0 to 1. */
  progress: Schema.Number
})

export const TrainingView = Schema.Struct({
  /** Id of the job: a UUID. */
  id: Schema.String,
  /** The same as `id`. Paths, models and events call it `job_id`. */
  job_id: Schema.String,
  /** Number for `before` of lists. */
  seq: Schema.Int,
  tenant_id: Schema.Int,
  word: Schema.String,
  language: Schema.String,
  /** Name of the model that the training makes. */
  name: Schema.String,
  seed: Schema.Int,
  size: Schema.Literals(sizes),
  use_uploads: Schema.Boolean,
  state: Schema.Literals(jobStates),
  /** The phase that runs, or in which the training ended; null: not begun. */
  phase: Schema.NullOr(Schema.Literals(phases)),
  /** All seven phases in order. */
  phases: Schema.Array(PhaseProgress),
  /** Trainings of the tenant that are before this one; null: it does not wait. */
  position: Schema.NullOr(Schema.Int),
  /** Times the training was begun; above 1 when a process ended while it ran. */
  attempts: Schema.Int,
  /** Why it failed, in English. */
  problem: Schema.NullOr(Schema.String),
  requested_by: Schema.String,
  created_at: Schema.String,
  started_at: Schema.NullOr(Schema.String),
  finished_at: Schema.NullOr(Schema.String)
}).annotate({ identifier: "WakeWordTraining" })

export const LanguageView = Schema.Struct({
  language: Schema.String,
  /** Voices of this machine that speak it. */
  voices: Schema.Int
}).annotate({ identifier: "WakeWordLanguage" })

/** Id of a job in a path; another text answers 404. */
const JobId = Schema.String.check(
  Schema.isPattern(/^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/)
)
const params = { job_id: JobId }

const trainingGroup = HttpApiGroup.make("wakewordTraining")
  .add(
    HttpApiEndpoint.post("train", "/train", {
      headers: Idempotency.headers,
      payload: NewTraining,
      success: TrainingView.pipe(HttpApiSchema.status(202)),
      error: [ModelNameTaken, TrainingQuota, LanguageUnknown, NotConfigured]
    })
      .annotate(Requires, "wakeword.manage")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Train a model for a word",
          description:
            "Answers the training, which runs in the background; `GET /api/v1/wakeword/training/{job_id}` and the " +
            "event `wakeword.training.progress` show its progress. One training runs at a time; tenants take turns. " +
            "The model is not activated."
        })
      ),
    HttpApiEndpoint.get("list", "/training", {
      query: { ...page(), ...inTenant, state: Schema.optionalKey(Schema.Literals(jobStates)) },
      success: pageOf(TrainingView)
    })
      .annotate(Requires, "wakeword.read")
      .annotateMerge(OpenApi.annotations({ summary: "Trainings, newest first" })),
    HttpApiEndpoint.get("show", "/training/:job_id", { params, success: TrainingView, error: NotFound })
      .annotate(Requires, "wakeword.read")
      .annotateMerge(OpenApi.annotations({ summary: "Get a training, with the progress of each phase" })),
    HttpApiEndpoint.post("cancel", "/training/:job_id/cancel", {
      params,
      success: TrainingView,
      error: [NotFound, TrainingEnded]
    })
      .annotate(Requires, "wakeword.manage")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Cancel a training",
          description: "A running training stops within seconds. 409 `training_ended` for one that has ended."
        })
      ),
    HttpApiEndpoint.get("languages", "/languages", { success: Schema.Array(LanguageView) })
      .annotate(Requires, "wakeword.read")
      .annotateMerge(OpenApi.annotations({ summary: "Languages that voices of this machine speak" }))
  )
  .middleware(Authentication)
  .prefix("/api/v1/wakeword")

export const TrainingApi = Api.make("wake-word-training").add(trainingGroup)
