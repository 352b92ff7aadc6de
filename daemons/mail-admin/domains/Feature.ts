import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as CustomerTenants from "#core/customers/CustomerTenants.ts"
import * as Feature from "#core/daemon/Feature.ts"
import { merge } from "#core/http/Api.ts"
import { Health } from "#core/daemon/Health.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { DomainsApi } from "./Api.ts"
import { SessionCuts } from "../session-cuts/Exports.ts"
import * as DkimFiles from "./dkim-files/DkimFiles.ts"
import * as DkimKeys from "./DkimKeys.ts"
import { OwnNames } from "#core/ownership/OwnNames.ts"
import { ownershipSettings } from "#core/ownership/OwnershipSettings.ts"
import { domainSettings } from "./DomainSettings.ts"
import { domains as handlers } from "./Handlers.ts"
import { MailServer, mailServerComponent } from "./MailServer.ts"
import { MailboxesApi } from "./mailboxes/Api.ts"
import { accounts, domainAccounts } from "./mailboxes/Handlers.ts"
import * as Passwords from "#core/password/Passwords.ts"
import { owners } from "./mailboxes/Owners.ts"
import { mail } from "./migrations/0001_mail.ts"
import { customerTenants } from "./migrations/0004_customer_tenants.ts"
import { users } from "./migrations/0005_users.ts"
import { homes } from "./migrations/0006_homes.ts"
import { ownership } from "./migrations/0007_ownership.ts"
import { told } from "./migrations/0008_told.ts"
import { provenNames } from "./ProvenNames.ts"
import { recordChecks } from "./RecordChecks.ts"
import { recordUpdates } from "./RecordUpdates.ts"

/** Mail domains with their DNS records and DKIM keys, and their mailboxes. */
export const domains = Feature.make({
  settings: { ...ownershipSettings, ...domainSettings },
  migrations: [mail, customerTenants, users, homes, ownership, told],
  queues: [SessionCuts.CutSessions],
  sealed: [DkimKeys.sealedDkimKeys],
  api: merge("domains", [DomainsApi, MailboxesApi]),
  layer: Layer.mergeAll(
    HttpApiBuilder.layer(DomainsApi).pipe(Layer.provide(handlers)),
    HttpApiBuilder.layer(MailboxesApi).pipe(Layer.provide(Layer.merge(domainAccounts, accounts))),
    Layer.effectDiscard(recordChecks),
    Layer.effectDiscard(Effect.flatMap(CustomerTenants.feed("mail-admin", "mail_admin"), Supervisor.actor)),
    Layer.effectDiscard(recordUpdates),
    Layer.effectDiscard(owners),
    Layer.effectDiscard(provenNames),
    Layer.effectDiscard(Health.component("mail_server", mailServerComponent)),
    DkimFiles.layer
  ).pipe(
    Layer.provide(Layer.mergeAll(MailServer.layer, OwnNames.layer, DkimKeys.layer, SessionCuts.layer, Passwords.layer))
  )
})
