import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { Health } from "#core/daemon/Health.ts"
import { liveSettings } from "#core/settings/LiveSettings.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { statusFiles } from "../status-files/Exports.ts"
import { SubscriptionsApi } from "./Api.ts"
import { subscriptions as handlers } from "./Handlers.ts"
import { confirmColumn, unsubscribeColumn } from "./LinkToken.ts"
import { MailQueue, mailQueue } from "./MailQueue.ts"
import { mailSender } from "./MailSender.ts"
import { presentTransport } from "./MailTransport.ts"
import { noticeActor } from "./NoticeActor.ts"
import { pruning } from "./Pruning.ts"
import { subscriptionSettings } from "./Settings.ts"

const register = Effect.gen(function* () {
  const config = yield* liveSettings(subscriptionSettings)
  const transport = presentTransport(config)
  yield* Supervisor.actor(
    noticeActor({ transport, checkInterval: config.checkInterval, waitsForImport: config.notifiedFile !== undefined })
  )
  yield* Supervisor.actor(mailSender(transport, { connections: config.mailConnections, rate: config.mailRate }))
  yield* Supervisor.actor(pruning)
  const queue = yield* MailQueue
  yield* Supervisor.actor(queue.actor)
  yield* Health.component("subscriptions", Effect.sync(queue.health))
})

/** Subscribers, their confirmations, and the mails that notify them of incidents and maintenance. */
export const subscriptions = Feature.make({
  settings: subscriptionSettings,
  sealed: [unsubscribeColumn, confirmColumn],
  api: SubscriptionsApi,
  layer: Layer.merge(
    HttpApiBuilder.layer(SubscriptionsApi).pipe(Layer.provide(handlers)),
    Layer.effectDiscard(register)
  ).pipe(Layer.provide([statusFiles, mailQueue]))
})
