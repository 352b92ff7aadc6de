/** Implementation of `signalbox mail-domain create` and `delete`. */
import { Effect, Layer, type Option } from "effect"
import { SqlClient } from "effect/sql"
import { Caller, operatorCaller } from "#core/auth/Caller.ts"
import { decodeInput, typed } from "#core/cli/Input.ts"
import { knownTenant } from "#core/cli/KnownTenant.ts"
import { operatorSecrets, operatorSettings } from "#core/cli/OperatorSettings.ts"
import { print } from "#core/cli/Output.ts"
import { inWords } from "#core/cli/Refusals.ts"
import { withStorage } from "#core/cli/Storage.ts"
import { sure } from "#core/cli/Sure.ts"
import { mailServerSettings } from "#core/config/MailServerSettings.ts"
import { ownerOf } from "#core/customers/CustomerTenants.ts"
import { OwnNames } from "#core/ownership/OwnNames.ts"
import { ownershipSettings } from "#core/ownership/OwnershipSettings.ts"
import * as Migrations from "#core/sql/Migrations.ts"
import { transaction } from "#core/sql/Sql.ts"
import { mailAdmin } from "../Daemon.ts"
import { NewDomain } from "./Api.ts"
import * as DkimKeys from "./DkimKeys.ts"
import * as DomainChanges from "./DomainChanges.ts"
import { meant } from "../operator/MeantDomain.ts"
import { announcing, changing, inStorage } from "../operator/OperatorStorage.ts"
import { printed } from "./MailDomainOperator.ts"
import { MailServer } from "./MailServer.ts"
import { domainName } from "./Names.ts"

const stored = operatorSettings(mailServerSettings, ownershipSettings).pipe(Layer.provide(announcing))

const services = Layer.mergeAll(
  announcing,
  DkimKeys.layer.pipe(Layer.provide(operatorSecrets)),
  MailServer.layer.pipe(Layer.provide(stored)),
  OwnNames.layer.pipe(Layer.provide(stored), Layer.provide(announcing))
)

export const create = Effect.fnUntraced(function* (flags: {
  readonly domain: string
  readonly customer: number
  readonly tenant: Option.Option<number>
  readonly json: boolean
}) {
  const wanted = yield* decodeInput(
    NewDomain,
    typed({ domain: flags.domain, customer_id: flags.customer, tenant_id: flags.tenant }),
    { customer_id: "--customer", tenant_id: "--tenant" }
  )
  const made = yield* withStorage(
    Effect.andThen(
      Migrations.run(mailAdmin.migrations),
      inWords(
        Effect.gen(function* () {
          if (wanted.tenant_id !== undefined) yield* knownTenant(wanted.tenant_id)
          const tenantId = yield* ownerOf("mail_admin", wanted.tenant_id, wanted.customer_id)
          const key = yield* Effect.catchTag((yield* DkimKeys.DkimKeys).make, "SecretError", Effect.die)
          const { records } = yield* MailServer
          return yield* transaction(
            DomainChanges.create(
              { tenantId, customerId: wanted.customer_id, domain: domainName(wanted.domain)!, isAsserted: true },
              key,
              records
            )
          )
        }).pipe(Effect.provideService(Caller, operatorCaller))
      ).pipe(Effect.provide(services))
    )
  )
  yield* printed(flags.json, made)
})

export const remove = Effect.fnUntraced(function* (flags: {
  readonly which: string
  readonly force: boolean
  readonly yes: boolean
  readonly json: boolean
}) {
  const { count, domain, id } = yield* inStorage(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const found = yield* meant(flags.which)
      const [row] = yield* sql<{
        count: number
      }>`select count(*)::int as count from mail_admin.mailbox where domain_id = ${found.id}`
      return { ...found, count: row!.count }
    })
  )
  const mailboxes = count === 0 ? "" : ` and its ${count} ${count === 1 ? "mailbox" : "mailboxes"}`
  yield* sure(
    `The mail domain ${domain}${flags.force ? mailboxes : ""} is deleted with its keys and aliases. Its mail is ` +
      "refused from then on.",
    flags.yes
  )
  yield* changing(DomainChanges.remove(id, flags.force))
  yield* print(flags.json, { id, domain, deleted: true }, () => [`${domain} is deleted.`])
})
