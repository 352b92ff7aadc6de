import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"
import { Authentication } from "#core/auth/Authentication.ts"
import { UsersOnly } from "#core/auth/Permissions.ts"

/** Which program opens a mail address or telephone number that the user clicks. Source: interface document 3 §2.6. */
export const preferenceKeys = ["mail_handler", "call_handler"] as const
export const PreferenceValue = Schema.Literals(["internal", "system", "ask"])

export const Preferences = Schema.Struct({ mail_handler: PreferenceValue, call_handler: PreferenceValue }).annotate({
  identifier: "Preferences"
})

/** Endpoints for the caller's preferences. */
export const preferences = HttpApiGroup.make("preferences")
  .add(
    HttpApiEndpoint.get("read", "/", { success: Preferences }).annotateMerge(
      OpenApi.annotations({
        summary: "Preferences of the caller",
        description: "Default: `ask`. Only for signed-in users; a service token gets 403.",
        override: { security: [{ user: [] }] }
      })
    ),
    HttpApiEndpoint.put("write", "/", {
      payload: Schema.Struct({
        mail_handler: Schema.optionalKey(PreferenceValue),
        call_handler: Schema.optionalKey(PreferenceValue)
      }),
      success: Preferences
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Change preferences of the caller",
        description:
          "Absent fields stay unchanged. 422: unknown key or value; nothing is stored. Only for signed-in users.",
        override: { security: [{ user: [] }] }
      })
    )
  )
  .middleware(Authentication)
  .prefix("/api/v1/settings/preferences")
  .annotate(UsersOnly, true)

export const PreferencesApi = Api.make("preferences").add(preferences)
