/** What works on notifications beside the endpoints, for the daemon's declaration. */
import { Effect } from "effect"
import { NotificationWanted } from "#core/contracts/Notifications.ts"
import { emailWorker, NotificationEmail } from "./mail/MailWorker.ts"
import { membersConsumer } from "./Members.ts"
import { messageWorker, NotificationMessage } from "./message/MessageWorker.ts"
import type { NotifyConfig } from "./mail/MailRoute.ts"
import { dueWorker, NotificationDue } from "./OutgoingMessages.ts"
import { pruning } from "./Pruning.ts"
import { NotificationPush, pushWorker } from "./push/PushWorker.ts"
import type { PushConfig } from "./push/PushSettings.ts"
import { wantedWorker } from "./RequestWorker.ts"

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
