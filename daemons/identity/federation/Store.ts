/**
 * Table of accounts connected with OpenID providers. Functions run in the surrounding transaction with its role, so a
 * tenant's transaction sees only its own users.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Role } from "#core/auth/Roles.ts"
import type { ProviderIdentity } from "./ProviderAnswer.ts"

/** The account that is connected with a provider's subject. */
export interface Linked {
  readonly id: number
  readonly tenant_id: number
  readonly role: Role
  readonly active: boolean
  readonly linked_by: "email" | "owner"
  readonly linked_at: Date
}

/** Finds the account by issuer and subject. As platform only, because a user names no tenant when signing in. */
export const find = Effect.fnUntraced(function* ({ issuer, subject }: ProviderIdentity) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Linked>`select a.id, a.tenant_id, a.role,
      a.state = 'active' and t.state = 'active' as active, f.linked_by, f.linked_at
    from identity.federated_account f
    join identity.account a on a.id = f.account_id join identity.tenant t on t.id = a.tenant_id
   where f.issuer = ${issuer} and f.subject = ${subject}`
  return row
})

/** Whether the account is connected with another subject of the same issuer. */
export const hasAnother = Effect.fnUntraced(function* (accountId: number, { issuer, subject }: ProviderIdentity) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`select 1 from identity.federated_account
    where account_id = ${accountId} and issuer = ${issuer} and subject <> ${subject}`
  return rows.length > 0
})

/**
 * Connects the account with the identity. If this connection already exists, updates who made it and when. Returns
 * false when the account or the identity is connected otherwise.
 */
export const link = Effect.fnUntraced(function* (
  account: { readonly id: number; readonly tenant_id: number },
  identity: ProviderIdentity,
  by: "email" | "owner"
) {
  const sql = yield* SqlClient.SqlClient
  // Serialises concurrent calls for one account, so that the second sees the result of the first.
  yield* sql`select 1 from identity.account where id = ${account.id} for no key update`
  if (yield* hasAnother(account.id, identity)) return false
  const rows = yield* sql`insert into identity.federated_account as f
      (issuer, subject, tenant_id, account_id, email, linked_by)
    values (${identity.issuer}, ${identity.subject}, ${account.tenant_id}, ${account.id},
      ${identity.email ?? null}, ${by})
    on conflict (issuer, subject) do update
      set linked_by = excluded.linked_by, linked_at = now(), email = excluded.email
      where f.account_id = excluded.account_id
    returning 1`
  return rows.length > 0
})

/** Records a sign-in through this connection. */
export const recordSignIn = Effect.fnUntraced(function* ({ email, issuer, subject }: ProviderIdentity) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update identity.federated_account set last_used_at = now(), email = coalesce(${email ?? null}, email)
    where issuer = ${issuer} and subject = ${subject}`
})

/** A connection as shown in lists. */
export interface LinkedView {
  readonly issuer: string
  readonly email: string | null
  readonly linked_by: "email" | "owner"
  readonly linked_at: Date
  readonly last_used_at: Date | null
}

/** Connections of one account, oldest first, including those of providers that are no longer configured. */
export const list = Effect.fnUntraced(function* (accountId: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<LinkedView>`select issuer, email, linked_by, linked_at, last_used_at
    from identity.federated_account where account_id = ${accountId} order by linked_at`
})

/** Removes a connection unless it is the last way to sign in. `usable`: issuers that are configured now. */
export const unlink = Effect.fnUntraced(function* (accountId: number, issuer: string, usable: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const [account] = yield* sql<{
    has_password: boolean
  }>`select password_hash is not null as has_password from identity.account
    where id = ${accountId} for no key update`
  const links = yield* list(accountId)
  if (account === undefined || !links.some((link) => link.issuer === issuer)) return "none" as const
  const others = links.some((link) => link.issuer !== issuer && usable.includes(link.issuer))
  if (!account.has_password && !others) return "last" as const
  yield* sql`delete from identity.federated_account where account_id = ${accountId} and issuer = ${issuer}`
  return "removed" as const
})
