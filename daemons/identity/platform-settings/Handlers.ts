import { Effect, Semaphore } from "effect"
import { providerTenant } from "#core/auth/Caller.ts"
import { brandSettings } from "#core/config/BrandSettings.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { InvalidRequest, NotFound, orUnavailable } from "#core/http/Problem.ts"
import * as Audit from "#core/log/Audit.ts"
import type { SettingState } from "#core/settings/SettingState.ts"
import { wordsOf } from "#core/settings/StoredSetting.ts"
import { type SettingRefused, StoredSettings } from "#core/settings/StoredSettings.ts"
import { transaction } from "#core/sql/Sql.ts"
import { actor } from "../users/Exports.ts"
import { PlatformSettingsApi, SettingLocked, type SettingView } from "./Api.ts"
import { isTested } from "./tests/Tested.ts"
import { targetProblem, tests } from "./tests/Tests.ts"
import { trialOf } from "./tests/Trial.ts"

/** Maximum number of tests at once in one process. Reason: each waits up to a minute for another server. */
const testsAtOnce = 4

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
  ...wordsOf(setting),
  input: setting.shown.input ?? "text",
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
    const places = yield* Semaphore.make(testsAtOnce)
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
      }),
      test: Effect.fnUntraced(function* ({ params: { group }, payload: { to, values = {} } }) {
        if (!isTested(group)) return yield* new NotFound({ detail: "There is no such test." })
        const { address, name } = yield* actor
        const wrong = to === undefined || to === null ? undefined : targetProblem(group, to)
        if (wrong !== undefined) return yield* new InvalidRequest({ errors: [{ field: "payload.to", message: wrong }] })
        const trial = yield* Effect.provideService(trialOf(group, values), StoredSettings, settings)
        // Recorded before the test, because the test may send a stored secret to a host that `values` names.
        yield* orUnavailable(
          transaction(
            Audit.write({
              tenantId: providerTenant,
              actor: name,
              action: "setting.tested",
              entity: "setting",
              id: group,
              address,
              detail: { values: Object.keys(values), to: to ?? null }
            })
          )
        )
        const items = yield* places.withPermit(tests[group](trial, to ?? undefined))
        return {
          ok: items.every(({ ok }) => ok),
          items: items.map(({ took, ...item }) => ({ ...item, took_ms: took }))
        }
      })
    })
  })
)

export const branding = Handlers.group(
  PlatformSettingsApi,
  "branding",
  Effect.fn(function* (handlers) {
    const { live } = yield* StoredSettings
    const brand = live({}, brandSettings)
    return handlers.handle("show", () =>
      Effect.sync(() => ({ name: brand.brandName, logo: brand.brandLogo ?? null, colour: brand.brandColour ?? null }))
    )
  })
)
