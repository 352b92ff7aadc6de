/** The services of alarms: one instance each per daemon. */
import { Effect, Layer } from "effect"
import { liveSettings } from "#core/settings/LiveSettings.ts"
import { channelServices } from "../channels/Exports.ts"
import * as BeginAttempt from "./attempt/BeginAttempt.ts"
import * as RecordOutcome from "./attempt/RecordOutcome.ts"
import * as Heartbeat from "./Heartbeat.ts"
import { RequestLimits } from "./limits/RequestLimits.ts"
import * as ResultCache from "./run/ResultCache.ts"
import * as StartRun from "./run/StartRun.ts"
import { alarmSettings } from "./Settings.ts"
import * as Undelivered from "./watch/Undelivered.ts"

export const alarmServices = Layer.unwrap(
  Effect.map(liveSettings(alarmSettings), (config) =>
    Layer.mergeAll(
      StartRun.layer(config),
      BeginAttempt.layer,
      RecordOutcome.layer(config),
      ResultCache.layer,
      RequestLimits.layer,
      Heartbeat.layer(config),
      Undelivered.layer
    )
  )
).pipe(Layer.provideMerge(channelServices))
