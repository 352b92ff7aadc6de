import { Effect } from "effect"
import * as Handlers from "#core/http/Handlers.ts"
import { InvalidRequest, NotFound, orUnavailable } from "#core/http/Problem.ts"
import type { SettingState } from "#core/settings/SettingState.ts"
import { type SettingRefused, StoredSettings } from "#core/settings/StoredSettings.ts"
import { actor } from "../users/Exports.ts"
import { PlatformSettingsApi, SettingLocked, type SettingView } from "./Api.ts"

/** API representation of a setting. */
const view = ({
  changedAt,
  changedBy,
  locked,
  problem,
  setting,
  source,
  text
}: SettingState): typeof SettingView.Type => ({
  name: setting.name,
  group: setting.shown.group,
  title: setting.shown.title,
  help: setting.shown.help,
  unit: setting.unit ?? null,
  default: setting.fallback?.shown ?? null,
  secret: setting.secret,
  source,
  locked,
  value: text ?? null,
  problem: problem ?? null,
  changed_at: changedAt === undefined ? null : new Date(changedAt).toISOString(),
  changed_by: changedBy ?? null
})

/** The answer to a refused change. */
const problemOf = ({ detail, name, reason }: SettingRefused): NotFound | SettingLocked | InvalidRequest => {
  switch (reason) {
    case "Unknown":
      return new NotFound({ detail: "There is no such setting." })
    case "Locked":
      return new SettingLocked({ setting: name, detail: `The environment sets ${name}.` })
    case "Invalid":
      return new InvalidRequest({ errors: [{ field: "payload.value", message: detail }] })
  }
}

export const platformSettings = Handlers.group(
  PlatformSettingsApi,
  "platform-settings",
  Effect.fn(function* (handlers) {
    const settings = yield* StoredSettings
    return handlers.handleAll({
      list: Effect.fnUntraced(function* () {
        return { items: (yield* orUnavailable(settings.list)).map(view) }
      }),
      change: Effect.fnUntraced(function* ({ params, payload }) {
        const { address, name } = yield* actor
        const changed = settings.change(params.name, payload.value ?? undefined, { actor: name, address }).pipe(
          // An unreadable key file is a fault of the installation, so the request dies with a 500.
          Effect.catchTag("SecretError", Effect.die),
          Effect.catchTag("SettingRefused", (refused) => Effect.fail(problemOf(refused)))
        )
        return view(yield* orUnavailable(changed))
      })
    })
  })
)
