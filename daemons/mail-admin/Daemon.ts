import { Effect, Layer } from "effect"
import * as Legacy from "#core/daemon/Legacy.ts"
import { settings } from "#core/config/Environment.ts"
import type { Events } from "#core/events/Events.ts"
import * as Passwords from "#core/password/Passwords.ts"
import type { ActorSpec } from "#core/supervision/Supervisor.ts"
import { MailAdminApi } from "./Api.ts"
import * as AuthPolicy from "./bans/AuthPolicy.ts"
import * as Bans from "./bans/Bans.ts"
import * as PolicyService from "./bans/PolicyService.ts"
import { components } from "./Components.ts"
import { conflicts, type MailAdminConfig, mailAdminSettings } from "./Config.ts"
import * as DkimFiles from "./dkim-files/DkimFiles.ts"
import * as DkimKeys from "./domains/DkimKeys.ts"
import { recordChecks } from "./domains/RecordChecks.ts"
import { handlers } from "./Handlers.ts"
import * as MailServer from "./MailServer.ts"
import { mail } from "./migrations/0001_mail.ts"
import { mailServer } from "./migrations/0002_mail_server.ts"
import { bans } from "./migrations/0003_bans.ts"
import * as SessionCuts from "./sessions/SessionCuts.ts"

const services = Layer.unwrap(
  Effect.map(settings(mailAdminSettings), (config) =>
    Layer.mergeAll(
      MailServer.layer(config),
      DkimKeys.layer,
      DkimFiles.layer(config.dkimDir),
      Passwords.layer,
      policy(config),
      SessionCuts.layer(config)
    )
  )
)

/** What the mail server tells of its clients. */
const policy = (config: MailAdminConfig) =>
  Layer.merge(AuthPolicy.layer, PolicyService.layer(config.policyHost, config.policyPort)).pipe(
    Layer.provideMerge(Bans.layer(config.banExempt))
  )

/** Mail domains, mailboxes and aliases, as the mail server reads them. */
export const mailAdmin = Legacy.make({
  name: "mail-admin",
  title: "Mail domains, mailboxes and aliases",
  port: 8103,
  settings: mailAdminSettings,
  conflicts,
  migrations: { schema: "mail_admin", steps: [mail, mailServer, bans] },
  queues: [SessionCuts.cutQueue],
  sealed: [DkimKeys.sealedDkimKeys],
  routes: [
    { prefix: "/api/v1/mail/domains", authenticated: true },
    { prefix: "/api/v1/mail/accounts", authenticated: true },
    { prefix: "/api/v1/mail/aliases", authenticated: true },
    { prefix: "/api/v1/mail/bans", authenticated: true },
    { prefix: "/api/v1/mail/auth-policy", rateLimited: false },
    { prefix: "/mail/config-v1.1.xml" },
    { prefix: "/.well-known/autoconfig" }
  ],
  api: MailAdminApi,
  http: handlers,
  services,
  actors: Effect.gen(function* (): Effect.fn.Return<
    ReadonlyArray<ActorSpec<any>>,
    never,
    Bans.Bans | DkimFiles.DkimFiles | Events | SessionCuts.SessionCuts
  > {
    return [
      yield* recordChecks,
      ...(yield* DkimFiles.DkimFiles).actors,
      (yield* Bans.Bans).actor,
      PolicyService.policyService,
      ...(yield* SessionCuts.SessionCuts).actors
    ]
  }),
  fastLane: Effect.map(AuthPolicy.AuthPolicy, ({ handle }) => new Map([[AuthPolicy.authPolicyLane, handle]])),
  components
})
