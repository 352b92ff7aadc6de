import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { AlarmTrigger } from "#core/contracts/Alarm.ts"
import { NotificationWanted } from "#core/contracts/Notifications.ts"
import * as Feature from "#core/daemon/Feature.ts"
import { TestAlarmApi } from "./Api.ts"
import { testAlarm } from "./Handlers.ts"

/** A test alarm that needs no configuration: it is delivered to a receiver of this daemon. */
export const testAlarmFeature = Feature.make({
  queues: [AlarmTrigger, NotificationWanted],
  api: TestAlarmApi,
  layer: HttpApiBuilder.layer(TestAlarmApi).pipe(Layer.provide(testAlarm))
})
