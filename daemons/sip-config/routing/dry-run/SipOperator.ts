/**
 * Implementation of `signalbox sip …`. Reads the telephony data from the database, so it works without a running
 * daemon.
 */
import { Effect, Layer, Option } from "effect"
import { fail } from "#core/cli/Ending.ts"
import { print } from "#core/cli/Output.ts"
import { withStorage } from "#core/cli/Storage.ts"
import { settings } from "#core/config/Environment.ts"
import type { Language } from "#core/words/Language.ts"
import * as Migrations from "#core/sql/Migrations.ts"
import * as Wake from "#core/events/Wake.ts"
import { sipSettings } from "../../directory/Exports.ts"
import { routingSettings } from "../RoutingSettings.ts"
import { sipConfig } from "../../Daemon.ts"
import * as TelephonyProjection from "../TelephonyProjection.ts"
import { planOf } from "../CallPlan.ts"
import { test } from "./DryRun.ts"

interface RouteFlags {
  readonly from: string
  readonly to: string
  readonly tenant: Option.Option<number>
  readonly lang: Language
  readonly json: boolean
}

export const route = Effect.fnUntraced(function* (flags: RouteFlags) {
  const config = yield* settings({ ...sipSettings, ...routingSettings })
  const result = yield* withStorage(
    Effect.gen(function* () {
      yield* Migrations.run(sipConfig.migrations)
      return yield* Effect.gen(function* () {
        const picture = yield* TelephonyProjection.TelephonyProjection
        yield* picture.refreshWhenBusy
        const question = {
          from: flags.from,
          to: flags.to.replace(/[\s()/-]/g, ""),
          tenantId: Option.getOrUndefined(flags.tenant)
        }
        return test(picture.telephony, planOf(config), question, flags.lang)
      }).pipe(Effect.provide(TelephonyProjection.layer(config.switchStaleFor).pipe(Layer.provide(Wake.layer))))
    })
  )
  if (result === undefined) return yield* fail(unknown[flags.lang](flags.from))
  yield* print(flags.json, result, () => result.steps.map(({ kind, text }) => `${kind.padEnd(11)} ${text}`))
})

const unknown: Readonly<Record<Language, (from: string) => string>> = {
  de: (from) => `${from} ist keine Nebenstelle von uns.`,
  en: (from) => `${from} is no extension of ours.`
}
