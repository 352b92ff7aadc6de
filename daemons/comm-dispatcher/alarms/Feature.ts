import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { AlarmTrigger } from "#core/contracts/Alarm.ts"
import * as Feature from "#core/daemon/Feature.ts"
import { Health } from "#core/daemon/Health.ts"
import { liveSettings } from "#core/settings/LiveSettings.ts"
import { StoredSettings } from "#core/settings/StoredSettings.ts"
import { AlarmsApi } from "./Api.ts"
import { deliveries } from "./attempt/DeliveryJobs.ts"
import { deliveryWorkers } from "./attempt/DeliveryWorkers.ts"
import { commHandlers } from "./Handlers.ts"
import { AlarmReply } from "./reply/Reply.ts"
import { replyWorker } from "./reply/ReplyWorker.ts"
import { alarmServices } from "./Services.ts"
import { alarmSettings, senderSettings } from "./Settings.ts"
import { conflicts } from "./synthetic/SyntheticAlarm.ts"
import { SyntheticDue } from "./synthetic/SyntheticSchedule.ts"
import { sendersComponent } from "./trigger/SenderPolicy.ts"
import { triggerWorker } from "./trigger/TriggerWorker.ts"
import { alarmWatches } from "./watch/AlarmWatches.ts"

export const alarmsFeature = Feature.make({
  settings: alarmSettings,
  conflicts,
  queues: [AlarmTrigger, AlarmReply, ...Object.values(deliveries), SyntheticDue],
  api: AlarmsApi,
  layer: Layer.unwrap(
    Effect.map(liveSettings(alarmSettings), (config) =>
      Layer.mergeAll(
        HttpApiBuilder.layer(AlarmsApi).pipe(Layer.provide(commHandlers)),
        Layer.effectDiscard(
          Effect.gen(function* () {
            yield* triggerWorker
            yield* deliveryWorkers(config)
            yield* replyWorker(config)
            const { value } = yield* StoredSettings
            yield* Health.component(
              "senders",
              Effect.sync(() =>
                sendersComponent({
                  allowedSenders: value(senderSettings.allowedSenders),
                  allowedDomains: value(senderSettings.allowedDomains)
                })
              )
            )
          })
        ),
        alarmWatches(config)
      )
    )
  ).pipe(Layer.provide(alarmServices))
})
