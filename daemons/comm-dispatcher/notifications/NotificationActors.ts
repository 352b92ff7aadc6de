/** What works on notifications beside the endpoints, for the daemon's declaration. */
import { Effect } from "effect"
import { NotificationWanted } from "#core/contracts/Notifications.ts"
import { chatsConsumer } from "./Chats.ts"
import { emailWorker, NotificationEmail } from "./EmailJob.ts"
import { membersConsumer } from "./Members.ts"
import { messageWorker, NotificationMessage } from "./MessageJob.ts"
import type { NotifyConfig } from "./NotifySettings.ts"
import { dueWorker, NotificationDue } from "./Outgoing.ts"
import { pruning } from "./Pruning.ts"
import { wantedWorker } from "./WantedJob.ts"

export const queues: ReadonlyArray<string> = [NotificationWanted.queue, NotificationEmail.queue, NotificationMessage.queue, NotificationDue.queue]

export const actors = ({ notificationDays }: NotifyConfig) =>
  Effect.gen(function*() {
    return [yield* membersConsumer, yield* chatsConsumer, yield* wantedWorker, yield* emailWorker, yield* messageWorker, yield* dueWorker, pruning(notificationDays)]
  })
