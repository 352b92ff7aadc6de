/** The services of alarms: one instance each per daemon. */
import { Effect, Layer } from "effect"
import { settings } from "#core/config/Environment.ts"
import { channelServices } from "../channels/Exports.ts"
import * as Recorder from "./attempt/BeginAttempt.ts"
import * as Heartbeat from "./Heartbeat.ts"
import * as Results from "./run/ResultCache.ts"
import * as Workflow from "./run/StartRun.ts"
import { alarmSettings } from "./Settings.ts"
import * as Undelivered from "./watch/Undelivered.ts"

export const alarmServices = Layer.unwrap(
  Effect.map(settings(alarmSettings), (config) =>
    Layer.mergeAll(
      Layer.provideMerge(Recorder.layer(config), Workflow.layer(config)),
      Results.layer,
      Heartbeat.layer(config),
      Undelivered.layer
    )
  )
).pipe(Layer.provideMerge(channelServices))
