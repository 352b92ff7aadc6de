/** Tables of users, mailboxes and extensions. Functions run in the surrounding transaction with its role. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Role } from "#core/auth/Roles.ts"
import type { SipExtension } from "#core/contracts/Extensions.ts"
import type { User } from "#core/contracts/Identity.ts"
import type { MailAccount } from "#core/contracts/MailAccounts.ts"

export interface KnownUser {
  readonly user_id: number
  readonly tenant_id: number
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly locale: string
  readonly state: "active" | "suspended" | "deleted"
}

/** The user with this id, as far as the transaction sees it; undefined also for a deleted user. */
export const user = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<KnownUser>`select user_id, tenant_id, email, name, role, locale, state
    from provisioning.known_user where user_id = ${id} and state <> 'deleted'`
  return row
})

/** Mailbox of the user that clients read: the default one, else the first by address. */
export const mailboxOf = Effect.fnUntraced(function* ({ tenant_id, user_id }: KnownUser) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ address: string }>`select address from provisioning.known_mailbox
    where tenant_id = ${tenant_id} and user_id = ${user_id} and state = 'active'
    order by is_default desc, address limit 1`
  return row?.address
})

export interface KnownExtension {
  readonly extension_id: number
  readonly extension: string
  readonly domain: string
}

/** Extension of the user that clients register: the lowest enabled number. */
export const extensionOf = Effect.fnUntraced(function* ({ tenant_id, user_id }: KnownUser) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<KnownExtension>`select extension_id, extension, domain from provisioning.known_extension
    where tenant_id = ${tenant_id} and user_id = ${user_id} and state = 'active' and enabled
    order by length(extension), extension, extension_id limit 1`
  return row
})

/** Name and address of a deleted user are removed; the row stays, because an older event may follow. */
export const keepUser = Effect.fnUntraced(function* (user: typeof User.Type) {
  const sql = yield* SqlClient.SqlClient
  const isDeleted = user.state === "deleted"
  const stored = yield* sql`insert into provisioning.known_user as k
      (user_id, tenant_id, email, name, role, locale, time_zone, state, version)
    values (${user.user_id}, ${user.tenant_id}, ${isDeleted ? "" : user.email}, ${isDeleted ? "" : user.name},
      ${user.role}, ${user.locale}, ${isDeleted ? null : (user.time_zone ?? null)}, ${user.state}, ${user.version})
    on conflict (user_id) do update set tenant_id = excluded.tenant_id, email = excluded.email, name = excluded.name,
      role = excluded.role, locale = excluded.locale, time_zone = excluded.time_zone, state = excluded.state,
      version = excluded.version
    where k.version < excluded.version returning 1`
  return stored.length > 0
})

export const keepMailbox = Effect.fnUntraced(function* (mailbox: MailAccount) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`insert into provisioning.known_mailbox as k (address, tenant_id, user_id, is_default, state, version)
    values (${mailbox.address}, ${mailbox.tenant_id}, ${mailbox.user_id}, ${mailbox.is_default}, ${mailbox.state},
      ${mailbox.version})
    on conflict (address) do update set tenant_id = excluded.tenant_id, user_id = excluded.user_id,
      is_default = excluded.is_default, state = excluded.state, version = excluded.version
    where k.version < excluded.version`
})

export const keepExtension = Effect.fnUntraced(function* (extension: SipExtension) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`insert into provisioning.known_extension as k
      (extension_id, tenant_id, user_id, extension, domain, enabled, state, version)
    values (${extension.extension_id}, ${extension.tenant_id}, ${extension.user_id}, ${extension.extension},
      ${extension.domain}, ${extension.enabled}, ${extension.state}, ${extension.version})
    on conflict (extension_id) do update set tenant_id = excluded.tenant_id, user_id = excluded.user_id,
      extension = excluded.extension, domain = excluded.domain, enabled = excluded.enabled, state = excluded.state,
      version = excluded.version
    where k.version < excluded.version`
})
