/** What works on notifications beside the endpoints, for the daemon's declaration. */
import { Effect } from "effect"
import { NotificationWanted } from "#core/contracts/Notifications.ts"
import { emailWorker, NotificationEmail } from "./EmailJob.ts"
import { membersConsumer } from "./Members.ts"
import type { NotifyConfig } from "./NotifySettings.ts"
import { pruning } from "./Pruning.ts"
import { wantedWorker } from "./WantedJob.ts"

export const queues: ReadonlyArray<string> = [NotificationWanted.queue, NotificationEmail.queue]

export const actors = ({ notificationDays }: NotifyConfig) =>
  Effect.gen(function*() {
    return [yield* membersConsumer, yield* wantedWorker, yield* emailWorker, pruning(notificationDays)]
  })
