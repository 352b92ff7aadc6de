/** What works on notifications beside the endpoints, for the daemon's declaration. */
import { Effect } from "effect"
import { NotificationWanted } from "#core/contracts/Notifications.ts"
import { emailWorker, NotificationEmail } from "./EmailJob.ts"
import { membersConsumer } from "./Members.ts"
import { messageWorker, NotificationMessage } from "./MessageJob.ts"
import type { NotifyConfig } from "./NotifySettings.ts"
import { dueWorker, NotificationDue } from "./Outgoing.ts"
import { pruning } from "./Pruning.ts"
import { NotificationPush, pushWorker } from "./PushJob.ts"
import type { PushConfig } from "./PushSettings.ts"
import { wantedWorker } from "./WantedJob.ts"

export const queues: ReadonlyArray<string> = [
  NotificationWanted.queue,
  NotificationEmail.queue,
  NotificationMessage.queue,
  NotificationPush.queue,
  NotificationDue.queue
]

export const actors = (config: NotifyConfig & PushConfig) =>
  Effect.gen(function* () {
    return [
      yield* membersConsumer,
      yield* wantedWorker,
      yield* emailWorker,
      yield* messageWorker,
      yield* pushWorker(config),
      yield* dueWorker,
      pruning(config.notificationDays)
    ]
  })
