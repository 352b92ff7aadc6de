/**
 * Projection of mail accounts: owner and state of each address. A placed consumer fills the table from `mail.account.*`
 * events. Every process reads the table and the events that the consumer has not processed yet. So a suspension takes
 * effect everywhere within a second, even while the consumer moves to another host.
 */
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import {
  type MailAccount,
  MailAccountChanged,
  mailAccountPattern,
  type MailAccountState
} from "#core/contracts/MailAccounts.ts"
import { type Event, Events } from "#core/events/Events.ts"
import * as Projection from "#core/lane/Projection.ts"
import { transaction } from "#core/sql/Sql.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import type { Wake } from "#core/events/Wake.ts"

const consumerName = "identity.mail-accounts"

/** Topic announced with every event. */
const topic = "event"

/** A mail account in memory. */
export interface CachedMailAccount {
  readonly address: string
  readonly userId: number | null
  readonly tenantId: number
  readonly state: MailAccountState
  readonly isDefault: boolean
  readonly version: number
}

export class MailAccountsProjection extends Context.Service<
  MailAccountsProjection,
  Projection.Projection & {
    /** Finds an account by its address in lower case, including deleted ones. */
    readonly get: (address: string) => CachedMailAccount | undefined
    /** Accounts of a user: the default account first, then by address. */
    readonly ofUser: (userId: number) => ReadonlyArray<CachedMailAccount>
    readonly size: () => number
  }
>()("signalbox/identity/MailAccountsProjection") {}

interface Row {
  readonly address: string
  readonly user_id: number | null
  readonly tenant_id: number
  readonly state: MailAccountState
  readonly is_default: boolean
  readonly version: number
}

export const layer: Layer.Layer<MailAccountsProjection, never, SqlClient.SqlClient | Wake | Events | Supervisor> =
  Layer.effect(
    MailAccountsProjection,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const events = yield* Events
      const byAddress = new Map<string, CachedMailAccount>()
      const users = new Map<number, Set<string>>()

      /** The highest version wins, whatever the order of arrival. */
      const put = (row: Row) => {
        const before = byAddress.get(row.address)
        if (before !== undefined && before.version >= row.version) return
        if (before !== undefined && before.userId !== null) users.get(before.userId)?.delete(row.address)
        const { address, is_default: isDefault, state, tenant_id: tenantId, user_id: userId, version } = row
        byAddress.set(address, { address, userId, tenantId, state, isDefault, version })
        if (userId === null) return
        const addresses = users.get(userId)
        if (addresses === undefined) users.set(userId, new Set([address]))
        else addresses.add(address)
      }

      const projection = yield* Projection.make({
        name: "the mail accounts",
        topic,
        sources: {
          accounts: {
            changed: (since) =>
              sql`select address, user_id, tenant_id, state, is_default, version
                from identity.mail_account where ${Projection.after(sql, since)}`,
            apply: (rows: ReadonlyArray<Row>) => rows.forEach(put)
          },
          events: {
            // Before the first comparison: events that the consumer has not written to the table; afterwards: new
            // events.
            changed: (since) =>
              sql`select data from core.event where type like 'mail.account.%' and ${
                since === undefined
                  ? sql`xid >= coalesce((select xid from core.event_cursor where consumer = ${consumerName}), '0')`
                  : Projection.after(sql, since)
              }`,
            apply: (rows: ReadonlyArray<{ readonly data: unknown }>) => {
              for (const { data } of rows) if (isAccount(data)) put(data)
            }
          }
        }
      })

      const store = (account: MailAccount): Effect.Effect<unknown, SqlError.SqlError> =>
        sql`insert into identity.mail_account (address, account_id, user_id, tenant_id, state, is_default, version)
        values (${account.address}, ${account.account_id}, ${account.user_id}, ${account.tenant_id},
          ${account.state}, ${account.is_default}, ${account.version})
        on conflict (address) do update set account_id = excluded.account_id, user_id = excluded.user_id,
          tenant_id = excluded.tenant_id, state = excluded.state, is_default = excluded.is_default,
          version = excluded.version
        where mail_account.version < excluded.version`

      const handle = (event: Event) =>
        isAccount(event.data)
          ? transaction(store(event.data)).pipe(Effect.provideService(SqlClient.SqlClient, sql))
          : Effect.logError(`event ${event.id} (${event.type}) does not describe a mail account and is ignored`)

      yield* Supervisor.actor(
        events.consumer({ name: consumerName, pattern: mailAccountPattern, from: "beginning", handle })
      )
      return MailAccountsProjection.of({
        ...projection,
        get: (address) => byAddress.get(address),
        ofUser: (userId) =>
          Array.from(users.get(userId) ?? [], (address) => byAddress.get(address)!).sort(
            (a, b) => Number(b.isDefault) - Number(a.isDefault) || (a.address < b.address ? -1 : 1)
          ),
        size: () => byAddress.size
      })
    })
  )

/** Validates the encoded form, which equals the decoded form: the contract has only plain fields. */
const isAccount = Schema.is(MailAccountChanged.data)
