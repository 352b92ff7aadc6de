import { Effect, Layer } from "effect"
import { NotificationWanted } from "#core/contracts/Notifications.ts"
import * as Legacy from "#core/daemon/Legacy.ts"
import { settings } from "#core/config/Environment.ts"
import { StatusCheckerApi } from "./Api.ts"
import * as Checking from "./checks/Checking.ts"
import { statusCheckerSettings } from "./status-files/Config.ts"
import * as Imports from "./imports/ImportActor.ts"
import * as StatusFiles from "./status-files/StatusFiles.ts"
import { handlers } from "./Handlers.ts"
import { proposer } from "./incidents/proposals/Proposer.ts"
import { status } from "./status-files/migrations/0001_status.ts"
import { lane } from "./publication/Lane.ts"
import * as Publication from "./publication/Publication.ts"
import { confirmColumn, unsubscribeColumn } from "./subscriptions/LinkToken.ts"
import * as MailQueue from "./subscriptions/MailQueue.ts"
import { mailWay } from "./subscriptions/MailWay.ts"
import { noticeActors } from "./subscriptions/Notices.ts"
import * as StatusConfig from "./status-files/StatusConfig.ts"

const services = Layer.unwrap(
  Effect.map(settings(statusCheckerSettings), (config) =>
    Publication.layer(config).pipe(
      Layer.provideMerge(Checking.layer(config)),
      Layer.provideMerge(MailQueue.layer(mailWay(config))),
      Layer.provideMerge(Imports.layer(config)),
      Layer.provideMerge(StatusFiles.layer(config)),
      Layer.provideMerge(StatusConfig.layer(config))
    )
  )
)

/** The public status page. */
export const statusChecker = Legacy.make({
  name: "status-checker",
  title: "Status page",
  port: StatusConfig.port,
  ownPort: true,
  settings: statusCheckerSettings,
  migrations: { schema: "status_checker", steps: [status] },
  queues: [NotificationWanted.queue],
  sealed: [unsubscribeColumn, confirmColumn],
  routes: [{ prefix: "/" }],
  api: StatusCheckerApi,
  http: handlers,
  services,
  actors: Effect.gen(function* () {
    const config = yield* StatusConfig.StatusConfig
    return [
      (yield* StatusFiles.StatusFiles).actor,
      (yield* Imports.Imports).actor,
      (yield* Publication.Publication).actor,
      ...(yield* Checking.Checking).actors,
      ...noticeActors(config),
      (yield* MailQueue.MailQueue).actor,
      proposer(config)
    ]
  }),
  components: Effect.gen(function* () {
    const files = yield* StatusFiles.StatusFiles
    const checking = yield* Checking.Checking
    const publication = yield* Publication.Publication
    return {
      ...files.health(),
      ...(yield* Imports.Imports).health(),
      checks: checking.health(),
      publication: publication.health(),
      subscriptions: (yield* MailQueue.MailQueue).health()
    }
  }),
  fastLane: Effect.map(Publication.Publication, ({ shelf }) => lane(shelf))
})
