import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { ProviderOnly, Requires } from "#core/auth/Permissions.ts"
import * as Api from "#core/http/Api.ts"
import { NotFound } from "#core/http/Problem.ts"
import { InEveryLanguage } from "#core/words/InLanguage.ts"
import { groups } from "#core/settings/StoredSetting.ts"

/** Longest name of a step. Unit: UTF-16 code units. Reason: ours have 12. */
const maxName = 40

export const SetupStepView = Schema.Struct({
  name: Schema.String,
  title: InEveryLanguage,
  /** Why one wants it. */
  why: InEveryLanguage,
  state: Schema.Literals(["done", "open", "skipped"]),
  /** An installation is complete without it. */
  optional: Schema.Boolean,
  /** Group of settings that does the step. */
  group: Schema.NullOr(Schema.Literals(groups)),
  /** Page of the console that does the step. */
  page: Schema.NullOr(Schema.String),
  /** Names of the settings that do the step. */
  settings: Schema.Array(Schema.String),
  /** Command that does the step. */
  command: Schema.String
}).annotate({ identifier: "SetupStep" })

/** What a new installation still needs. */
export const setup = HttpApiGroup.make("setup")
  .add(
    HttpApiEndpoint.get("list", "/", {
      success: Schema.Struct({
        items: Schema.Array(SetupStepView),
        /** Steps that are open and not optional. */
        open: Schema.Int
      })
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Set-up list of the installation",
        description:
          "Each step with its state: `done` by the settings of the environment or the database, or because it was " +
          "seen to work; `skipped` when an operator does not want it."
      })
    ),
    HttpApiEndpoint.put("change", "/:name", {
      params: { name: Schema.String.check(Schema.isMaxLength(maxName)) },
      payload: Schema.Struct({ skipped: Schema.Boolean }),
      success: SetupStepView,
      error: [NotFound]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Skip a set-up step, or want it again",
        description: "A step that is done stays done."
      })
    )
  )
  .middleware(Authentication)
  .prefix("/api/v1/settings/setup")
  .annotate(Requires, "settings.manage")
  .annotate(ProviderOnly, true)

export const SetupApi = Api.make("setup").add(setup)
