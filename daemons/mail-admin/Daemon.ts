import { Effect, Layer } from "effect"
import * as Daemon from "#core/Daemon.ts"
import { settings } from "#core/Environment.ts"
import type { Events } from "#core/Events.ts"
import * as Passwords from "#core/password/Passwords.ts"
import type { ActorSpec } from "#core/Supervisor.ts"
import { MailAdminApi } from "./Api.ts"
import { components } from "./Components.ts"
import { mailAdminSettings } from "./Config.ts"
import * as DkimFiles from "./dkim-files/DkimFiles.ts"
import * as DkimKeys from "./domains/DkimKeys.ts"
import { recordChecks } from "./domains/RecordChecks.ts"
import { handlers } from "./Handlers.ts"
import * as MailServer from "./MailServer.ts"
import { mail } from "./migrations/0001_mail.ts"
import { mailServer } from "./migrations/0002_mail_server.ts"

const services = Layer.unwrap(Effect.map(settings(mailAdminSettings), (config) =>
  Layer.mergeAll(MailServer.layer(config), DkimKeys.layer, DkimFiles.layer(config.dkimDir), Passwords.layer)))

/** Mail domains, mailboxes and aliases, as the mail server reads them. */
export const mailAdmin = Daemon.make({
  name: "mail-admin",
  title: "Mail domains, mailboxes and aliases",
  port: 8103,
  settings: mailAdminSettings,
  migrations: { schema: "mail_admin", steps: [mail, mailServer] },
  queues: [],
  sealed: [DkimKeys.sealedDkimKeys],
  routes: [
    { prefix: "/api/v1/mail/domains", authenticated: true },
    { prefix: "/api/v1/mail/accounts", authenticated: true },
    { prefix: "/api/v1/mail/aliases", authenticated: true }
  ],
  api: MailAdminApi,
  http: handlers,
  services,
  actors: Effect.gen(function*(): Effect.fn.Return<ReadonlyArray<ActorSpec<any>>, never, DkimFiles.DkimFiles | Events> {
    return [yield* recordChecks, ...(yield* DkimFiles.DkimFiles).actors]
  }),
  components
})
