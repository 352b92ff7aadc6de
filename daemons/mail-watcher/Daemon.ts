import { Effect, Layer } from "effect"
import * as Legacy from "#core/daemon/Legacy.ts"
import { settings } from "#core/config/Environment.ts"
import * as HtmlWorker from "#core/html/HtmlWorker.ts"
import type { ActorSpec } from "#core/supervision/Supervisor.ts"
import * as AccountBook from "./accounts/AccountsProjection.ts"
import * as GuardedHost from "./accounts/GuardedHost.ts"
import * as MailLogins from "./accounts/MailLogins.ts"
import { ownAccounts } from "./accounts/OwnAccounts.ts"
import * as SignInCheck from "./accounts/SignInCheck.ts"
import { MailWatcherApi } from "./Api.ts"
import { mailWatcherSettings } from "./accounts/Settings.ts"
import { handlers } from "./Handlers.ts"
import * as ListLane from "./webmail-reading/ListLane.ts"
import { accounts } from "./accounts/migrations/0001_accounts.ts"
import { watching } from "./mailbox-watch/migrations/0002_watching.ts"
import { writing } from "./webmail-sending/migrations/0003_writing.ts"
import { people } from "./people/migrations/0004_people.ts"
import { accountBook } from "./accounts/migrations/0005_account_book.ts"
import { turns } from "./mailbox-watch/migrations/0006_turns.ts"
import * as PushCaller from "./mailbox-watch/push/PushAuthentication.ts"
import * as Pushes from "./mailbox-watch/push/PushNotes.ts"
import * as MailSessions from "./accounts/sessions/MailSessions.ts"
import * as MissingCopies from "./webmail-sending/MissingCopies.ts"
import * as Submission from "./webmail-sending/Submission.ts"
import { maxUpload } from "./webmail-sending/uploads/Store.ts"
import { writingSweep } from "./webmail-sending/SendingSweep.ts"
import * as Watchers from "./mailbox-watch/MailboxSlots.ts"

const services = Layer.unwrap(
  Effect.map(settings(mailWatcherSettings), (config) =>
    Layer.mergeAll(
      ListLane.layer,
      SignInCheck.layer(config),
      Submission.layer(config),
      Watchers.layer(config),
      Pushes.layer,
      PushCaller.layer
    ).pipe(
      Layer.provideMerge(Layer.mergeAll(AccountBook.layer, MailSessions.layer(config))),
      Layer.provideMerge(Layer.mergeAll(MailLogins.layer(config), GuardedHost.layer(config), HtmlWorker.layer))
    )
  )
)

/** Mailboxes, watched and read. */
export const mailWatcher = Legacy.make({
  name: "mail-watcher",
  title: "Mailboxes, watched and read",
  port: 8102,
  settings: mailWatcherSettings,
  migrations: { schema: "mail_watcher", steps: [accounts, watching, writing, people, accountBook, turns] },
  queues: [MissingCopies.copyJob.queue],
  sealed: [MailLogins.sealedPasswords],
  routes: [
    { prefix: "/api/v1/mail/webmail", authenticated: true },
    { prefix: "/api/v1/mail/webmail/attachments", authenticated: true, maxBody: maxUpload },
    { prefix: "/api/v1/mail/signatures", authenticated: true },
    { prefix: "/api/v1/mail/contacts", authenticated: true },
    { prefix: "/api/v1/mail/push", rateLimited: false }
  ],
  api: MailWatcherApi,
  http: handlers,
  services,
  actors: Effect.map(Effect.all([ownAccounts, MissingCopies.worker]), (actors): ReadonlyArray<ActorSpec<any>> => [
    ...actors,
    writingSweep,
    ...Watchers.watchActors
  ]),
  components: Watchers.watchHealth,
  fastLane: Effect.map(ListLane.ListLane, ({ handle }) => new Map([[ListLane.listLane, handle]]))
})
