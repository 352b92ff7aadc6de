import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as LiftedBans from "#core/bans/LiftedBans.ts"
import * as Feature from "#core/daemon/Feature.ts"
import { liveSettings } from "#core/settings/LiveSettings.ts"
import { SipSettings, sipSettings } from "../directory/Exports.ts"
import { CallsApi } from "./Api.ts"
import { callSettings } from "./CallSettings.ts"
import { calls as handlers } from "./Handlers.ts"
import { callNumbers } from "./migrations/0004_call_numbers.ts"
import * as SwitchWatch from "./SwitchWatch.ts"
import { watchedBans } from "./BanWatch.ts"

const all = { ...sipSettings, ...callSettings }

const watch = Layer.unwrap(Effect.map(liveSettings(all), (config) => SwitchWatch.layer(config)))

/** Feature: records the calls that the switch reports, and bans addresses that attack it. */
export const calls = Feature.make({
  settings: all,
  migrations: [callNumbers],
  api: CallsApi,
  layer: Layer.mergeAll(
    HttpApiBuilder.layer(CallsApi).pipe(Layer.provide(handlers), Layer.provide(SipSettings.layer)),
    Layer.provide(watch, watchedBans),
    LiftedBans.layer({ consumer: "sip-config.ban-lifts", table: "sip_config.ban" })
  )
})
