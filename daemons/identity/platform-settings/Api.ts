import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiError, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { ProviderOnly, Requires } from "#core/auth/Permissions.ts"
import * as Api from "#core/http/Api.ts"
import { InEveryLanguage } from "#core/words/InLanguage.ts"
import { codeField, declaration, NotFound } from "#core/http/Problem.ts"
import { sources } from "#core/settings/SettingState.ts"
import { groups, inputs, maxText } from "#core/settings/StoredSetting.ts"
import { tested } from "./tests/Tested.ts"

/** 409: a variable or credential of the installation sets the value; `setting` is its name. */
export class SettingLocked extends HttpApiError.Problem<SettingLocked>()(
  "SettingLocked",
  declaration("setting_locked", 409, "The environment sets this setting"),
  { ...codeField("setting_locked"), setting: Schema.String }
) {}

/** Longest name of a setting. Unit: UTF-16 code units. Reason: ours have 40. */
const maxName = 100

/** Name of a setting, which is also the name of its variable. */
const SettingName = Schema.String.check(Schema.isMaxLength(maxName))

export const SettingView = Schema.Struct({
  name: Schema.String,
  group: Schema.Literals(groups),
  title: InEveryLanguage,
  /** What the setting is for, and the form of its value. */
  help: InEveryLanguage,
  /** How people enter the value. */
  input: Schema.Literals(inputs),
  unit: Schema.NullOr(Schema.String),
  /** The default as text; null when a value is required. */
  default: Schema.NullOr(Schema.String),
  /** A secret is never shown. */
  secret: Schema.Boolean,
  source: Schema.Literals(sources),
  /** The environment sets the value, so it cannot be changed here. */
  locked: Schema.Boolean,
  /** Text of the value in effect; null for the default and for secrets. */
  value: Schema.NullOr(Schema.String),
  /** Why a stored value has no effect. */
  problem: Schema.NullOr(Schema.String),
  changed_at: Schema.NullOr(Schema.String),
  /** Who stored the value: `user:12`, `service:3`, `operator`. */
  changed_by: Schema.NullOr(Schema.String)
}).annotate({ identifier: "PlatformSetting" })

const params = { name: SettingName }

/** Longest target of a test. Unit: UTF-16 code units. Reason: a mail address. */
const maxTarget = 320

/** What one try of a test found. */
export const TestResultView = Schema.Struct({
  /** The tested thing: the name of a setting or the address of a server. */
  subject: Schema.String,
  ok: Schema.Boolean,
  text: InEveryLanguage,
  /** What the other side said, in English. */
  detail: Schema.NullOr(Schema.String),
  took_ms: Schema.Int
}).annotate({ identifier: "PlatformSettingTestResult" })

/** Settings of the installation that may be stored in the database. */
export const platformSettings = HttpApiGroup.make("platform-settings")
  .add(
    HttpApiEndpoint.get("list", "/", { success: Schema.Struct({ items: Schema.Array(SettingView) }) }).annotateMerge(
      OpenApi.annotations({
        summary: "Settings of the installation",
        description: "Each with its value, where the value comes from, and its title in each offered language."
      })
    ),
    HttpApiEndpoint.put("change", "/:name", {
      params,
      payload: Schema.Struct({ value: Schema.NullOr(Schema.String.check(Schema.isMaxLength(maxText))) }),
      success: SettingView,
      error: [NotFound, SettingLocked]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Store or remove a setting",
        description:
          "`value` has the form of the variable; null removes the stored value, so that the default holds. All " +
          "processes see the change within a second. 409 `setting_locked`: the environment sets the value. 422: the " +
          "value is invalid; `message` says why."
      })
    ),
    HttpApiEndpoint.post("test", "/tests/:group", {
      params: { group: Schema.String.check(Schema.isMaxLength(maxName)) },
      payload: Schema.Struct({
        values: Schema.optionalKey(
          Schema.Record(SettingName, Schema.NullOr(Schema.String.check(Schema.isMaxLength(maxText))))
        ),
        to: Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isMaxLength(maxTarget))))
      }),
      success: Schema.Struct({ ok: Schema.Boolean, items: Schema.Array(TestResultView) }),
      error: [NotFound]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Try settings of a group",
        description:
          `Really tries: ${tested.join(", ")}. \`values\` are texts that are tried in place of the stored ones and ` +
          "are not stored; null stands for the default. `to` is the chat that gets a message, the recipient of a " +
          "mail, or the name that resolvers are asked for. This process tries, which may be on another host than " +
          "the daemon that uses the setting. 404: the group has no test."
      })
    )
  )
  .middleware(Authentication)
  .prefix("/api/v1/settings/platform")
  .annotate(Requires, "settings.manage")
  .annotate(ProviderOnly, true)

/** Name, logo and colour, which pages show before anybody signs in. */
export const branding = HttpApiGroup.make("branding")
  .add(
    HttpApiEndpoint.get("show", "/", {
      success: Schema.Struct({
        name: Schema.String,
        /** Picture as data: address; null: ours. */
        logo: Schema.NullOr(Schema.String),
        /** `#rrggbb`; null: none. */
        colour: Schema.NullOr(Schema.String)
      }).annotate({ identifier: "Branding" })
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Name, logo and colour of the installation",
        description: "For everybody: sign-in pages show them too."
      })
    )
  )
  .prefix("/api/v1/branding")

export const PlatformSettingsApi = Api.make("platform-settings").add(platformSettings).add(branding)
