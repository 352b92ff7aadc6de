import { Duration, Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { AlarmTrigger } from "#core/contracts/Alarm.ts"
import { NotificationWanted } from "#core/contracts/Notifications.ts"
import * as Feature from "#core/daemon/Feature.ts"
import { Health } from "#core/daemon/Health.ts"
import { Events } from "#core/events/Events.ts"
import { OutboundHttp } from "#core/http/OutboundHttp.ts"
import { transaction } from "#core/sql/Sql.ts"
import { periodic } from "#core/supervision/Periodic.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { AlertDesk, alertDesk } from "./AlertDesk.ts"
import { alertComponent } from "./AlertHealth.ts"
import { alerts } from "./Alerts.ts"
import * as AlertStore from "./AlertStore.ts"
import { AlertingApi } from "./Api.ts"
import { alertHandlers, heartbeatHandlers, silenceHandlers } from "./Handlers.ts"
import { heartbeatSender, type HeartbeatState, heartbeatWatch } from "./Heartbeats.ts"
import { maintenanceConsumer } from "./MaintenanceEvents.ts"
import { alerting as tables } from "./migrations/0001_alerting.ts"
import { german } from "./migrations/0052_german.ts"
import { readers } from "./migrations/0053_readers.ts"
import { readersConsumer } from "./Readers.ts"
import { messageSender, outageSender } from "./Senders.ts"
import { alertSettings } from "./Settings.ts"

/** Interval of the deletion of old alerts. Reason: they are kept for a year, so a day more does no harm. */
const pruneInterval = Duration.hours(6)

const pruning = periodic({
  name: "old alerts",
  every: pruneInterval,
  round: Effect.map(transaction(AlertStore.prune), (gone) => `removed ${gone} alerts`)
})

const work = Layer.effectDiscard(
  Effect.gen(function* () {
    const state: HeartbeatState = {}
    const { settings } = yield* AlertDesk
    yield* Supervisor.actor(messageSender)
    yield* Supervisor.actor(outageSender)
    yield* Supervisor.actor(heartbeatWatch)
    if (settings.heartbeatUrl !== undefined) yield* Supervisor.actor(heartbeatSender(state))
    yield* Supervisor.actor((yield* Events).consumer(maintenanceConsumer))
    yield* Supervisor.actor((yield* Events).consumer(readersConsumer))
    yield* Supervisor.actor(pruning)
    yield* Health.components(alertComponent(state))
  })
)

/** Alerts to people: one an incident, with its recovery, grouped, repeated, silenced; and a heartbeat to elsewhere. */
export const alerting = Feature.make({
  settings: alertSettings,
  migrations: [tables, german, readers],
  queues: [NotificationWanted, AlarmTrigger],
  api: AlertingApi,
  layer: Layer.merge(
    HttpApiBuilder.layer(AlertingApi).pipe(
      Layer.provide(Layer.mergeAll(alertHandlers, silenceHandlers, heartbeatHandlers))
    ),
    work
  ).pipe(Layer.provide(Layer.mergeAll(alerts, alertDesk, OutboundHttp.layer)))
})
