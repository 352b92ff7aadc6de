/**
 * SQL of accounts that users change, with its rules. Each function runs in the surrounding transaction, writes the
 * audit log and announces the change.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Caller, type CallerInfo } from "#core/auth/Caller.ts"
import * as Audit from "#core/log/Audit.ts"
import { client } from "#core/http/Client.ts"
import { NotFound } from "#core/http/Problem.ts"
import { Wake } from "#core/events/Wake.ts"
import { type Account, accountFields, accountTopic } from "./Account.ts"
import { OwnAccount, TooManyAccounts, WebmailAddressTaken } from "./Errors.ts"
import { userLock } from "./UserLock.ts"

/** Maximum number of foreign accounts per user. Reason: each keeps a connection open; people have a handful. */
export const maxForeignAccounts = 20

/** Row of a foreign account. `password` is the envelope sealed for `id`. */
export interface NewAccount {
  readonly id: number
  readonly tenant_id: number
  readonly user_id: number
  readonly address: string
  readonly display_name: string
  readonly watch: Account["watch"]
  readonly imap_host: string
  readonly imap_port: number
  readonly smtp_host: string | null
  readonly smtp_port: number | null
  readonly login: string | null
  readonly password: string
}

/** Changed columns. A missing column stays. */
export type Changes = Partial<Omit<NewAccount, "id" | "tenant_id" | "user_id">>

/** Condition for accounts that the caller may see. */
export const ownedBy = (sql: SqlClient.SqlClient, caller: CallerInfo) =>
  caller.kind === "user" ? sql`tenant_id = ${caller.tenantId} and user_id = ${caller.userId}` : sql`true`

/** The caller's account of this id. `held` locks the row until the transaction ends. */
export const get = Effect.fnUntraced(function* (id: number, held = false) {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<Account>`select ${accountFields(sql)} from mail_watcher.account
    where id = ${id} and not gone and ${ownedBy(sql, yield* Caller)} ${held ? sql`for update` : sql``}`
  return found ?? (yield* new NotFound({ detail: "You have no such mail account." }))
})

/** Id of the next account, because the password is sealed for it. Runs outside of any transaction. */
export const nextId = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [next] = yield* sql<{
    id: number
  }>`select nextval(pg_get_serial_sequence('mail_watcher.account', 'id'))::int as id`
  return next!.id
})

export const create = Effect.fnUntraced(function* (account: NewAccount) {
  const sql = yield* SqlClient.SqlClient
  const { address, tenant_id, user_id } = account
  yield* userLock(tenant_id, user_id)
  const others = yield* sql<{
    address: string
    kind: string
    is_default: boolean
  }>`select address, kind, is_default from mail_watcher.account
    where tenant_id = ${tenant_id} and user_id = ${user_id} and not gone`
  if (others.some((other) => other.address === address))
    return yield* new WebmailAddressTaken({ detail: "Change the existing account." })
  if (others.filter(({ kind }) => kind === "foreign").length >= maxForeignAccounts) {
    return yield* new TooManyAccounts({ limit: maxForeignAccounts, detail: "Delete an account first." })
  }
  const { display_name, id, imap_host, imap_port, login, password, smtp_host, smtp_port, watch } = account
  const [made] = yield* sql<Account>`insert into mail_watcher.account
      (id, tenant_id, user_id, address, kind, display_name, is_default, watch, imap_host, imap_port, smtp_host,
        smtp_port, login, password)
    overriding system value values (${id}, ${tenant_id}, ${user_id}, ${address}, 'foreign', ${display_name},
      ${!others.some((other) => other.is_default)}, ${watch}, ${imap_host}, ${imap_port}, ${smtp_host}, ${smtp_port},
        ${login}, ${password})
    returning ${accountFields(sql)}`
  yield* recordChange(made!, "created", { address })
  return made!
})

export const update = Effect.fnUntraced(function* (id: number, changes: Changes) {
  const sql = yield* SqlClient.SqlClient
  const before = yield* get(id, true)
  const { address, tenant_id, user_id } = before
  const names = Object.keys(changes).toSorted()
  if (before.kind === "own" && names.some((name) => !ownChanges.has(name))) {
    return yield* new OwnAccount({
      detail:
        "Of a mailbox of our own mail server only display_name and watch can change here; an administrator changes " +
        "the rest."
    })
  }
  if (changes.address !== undefined && changes.address !== address) {
    yield* userLock(tenant_id, user_id!)
    const [taken] = yield* sql`select 1 from mail_watcher.account
      where tenant_id = ${tenant_id} and user_id = ${user_id} and address = ${changes.address} and not gone
        and id <> ${id}`
    if (taken !== undefined) return yield* new WebmailAddressTaken({ detail: "Change the existing account." })
  }
  const [after] = yield* sql<Account>`update mail_watcher.account set ${sql.update(changes as Record<string, unknown>)},
      updated_at = now()
    where id = ${id} returning ${accountFields(sql)}`
  yield* recordChange(after!, "changed", { address: after!.address, changed: names })
  return after!
})

/** Columns that a user may change on an own account. */
const ownChanges = new Set(["display_name", "watch"])

export const remove = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const account = yield* get(id, true)
  if (account.kind === "own")
    return yield* new OwnAccount({ detail: "Only an administrator can delete a mailbox of our own mail server." })
  yield* sql`delete from mail_watcher.account where id = ${id}`
  yield* recordChange(account, "deleted", { address: account.address })
})

/** Makes the account its user's default. */
export const makeDefault = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const { tenant_id, user_id } = yield* get(id)
  if (user_id !== null) {
    yield* userLock(tenant_id, user_id)
    yield* sql`update mail_watcher.account set is_default = false, updated_at = now()
      where tenant_id = ${tenant_id} and user_id = ${user_id} and is_default and id <> ${id}`
  }
  const account = yield* get(id, true)
  if (account.is_default) return account
  yield* sql`update mail_watcher.account set is_default = true, updated_at = now() where id = ${id}`
  yield* recordChange(account, "made_default", { address: account.address })
  return { ...account, is_default: true }
})

/** Writes the audit log, without secrets, and announces the change. */
const recordChange = Effect.fnUntraced(function* (
  { id, tenant_id }: Account,
  action: string,
  detail: Audit.Entry["detail"]
) {
  const { address } = yield* client
  yield* Audit.writeFor({
    tenantId: tenant_id,
    action: `webmail_account.${action}`,
    entity: "webmail_account",
    id: String(id),
    address,
    ...(detail === undefined ? {} : { detail })
  })
  yield* (yield* Wake).announcement(accountTopic)
})
