import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { NotificationWanted } from "#core/contracts/Notifications.ts"
import * as Feature from "#core/daemon/Feature.ts"
import { Health } from "#core/daemon/Health.ts"
import { liveSettings } from "#core/settings/LiveSettings.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { channelServices } from "../channels/Exports.ts"
import { NotificationsApi } from "./Api.ts"
import { notificationHandlers } from "./Handlers.ts"
import * as MailRoute from "./mail/MailRoute.ts"
import { emailWorker, NotificationEmail } from "./mail/MailWorker.ts"
import { membersConsumer } from "./Members.ts"
import { messageWorker, NotificationMessage } from "./message/MessageWorker.ts"
import { notifications } from "./migrations/0002_notifications.ts"
import { notificationChannels } from "./migrations/0003_notification_channels.ts"
import { webPush } from "./migrations/0005_web_push.ts"
import { timeZones } from "./migrations/0011_time_zones.ts"
import { dueWorker, NotificationDue } from "./OutgoingMessages.ts"
import { pruning } from "./Pruning.ts"
import { pushHandlers } from "./push/Handlers.ts"
import * as PushKeys from "./push/PushKeys.ts"
import { pushSettings } from "./push/PushSettings.ts"
import { sealedSubscriptions } from "./push/PushStore.ts"
import { NotificationPush, pushWorker } from "./push/PushWorker.ts"
import { wantedWorker } from "./RequestWorker.ts"

const notificationSettings = { ...MailRoute.notifySettings, ...pushSettings }

export const notificationsFeature = Feature.make({
  settings: notificationSettings,
  migrations: [notifications, notificationChannels, webPush, timeZones],
  queues: [NotificationWanted, NotificationEmail, NotificationMessage, NotificationPush, NotificationDue],
  sealed: [PushKeys.sealedPushKey, sealedSubscriptions],
  api: NotificationsApi,
  layer: Layer.unwrap(
    Effect.map(liveSettings(notificationSettings), (config) =>
      Layer.merge(
        HttpApiBuilder.layer(NotificationsApi).pipe(Layer.provide([notificationHandlers, pushHandlers])),
        Layer.effectDiscard(
          Effect.gen(function* () {
            yield* Supervisor.actor(yield* membersConsumer)
            yield* wantedWorker
            yield* emailWorker
            yield* messageWorker
            yield* pushWorker(config)
            yield* dueWorker
            yield* Supervisor.actor(pruning(config.notificationDays))
            const { component } = yield* MailRoute.MailWay
            yield* Health.component("notification_mail", component)
          })
        )
      ).pipe(Layer.provide(Layer.mergeAll(MailRoute.layer(config), PushKeys.layer)))
    )
  ).pipe(Layer.provide(channelServices))
})
