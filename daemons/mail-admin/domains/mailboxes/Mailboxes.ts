/**
 * Table of mailboxes. Functions run in the surrounding transaction with its role, so a tenant's transaction sees and
 * changes only its own rows. Every change emits an event.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import {
  MailAccountChanged,
  MailAccountCreated,
  MailAccountDeleted,
  type MailAccountState,
  MailAccountSuspended,
  MailAccountUnsuspended
} from "#core/contracts/MailAccounts.ts"
import { Events } from "#core/events/Events.ts"
import { NotFound } from "#core/http/Problem.ts"
import { source } from "../Domains.ts"

export interface Mailbox {
  readonly id: number
  readonly tenant_id: number
  readonly domain_id: number
  readonly local_part: string
  readonly address: string
  readonly user_id: number | null
  /** Quota. Unit: MiB; null: unlimited. */
  readonly quota_mb: number | null
  readonly state: "active" | "suspended"
  readonly is_default: boolean
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
}

const fields = (sql: SqlClient.SqlClient) =>
  sql`id, tenant_id, domain_id, local_part, address, user_id, quota_mb, state, is_default, version, created_at,
    updated_at`

/** Finds a mailbox by id, or fails with 404. */
export const get = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Mailbox>`select ${fields(sql)} from mail_admin.mailbox where id = ${id}`
  return row ?? (yield* new NotFound({ detail: "The mailbox does not exist." }))
})

/** Like `get`, and locks the mailbox until the transaction ends. */
export const held = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`select 1 from mail_admin.mailbox where id = ${id} for update`
  return yield* get(id)
})

/** Mailboxes of a domain, newest first, at most `limit`. */
export const list = Effect.fnUntraced(function* (domainId: number, before: number | undefined, limit: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Mailbox>`select ${fields(sql)} from mail_admin.mailbox
    where domain_id = ${domainId} and ${before === undefined ? sql`true` : sql`id < ${before}`}
    order by id desc limit ${limit}`
})

/** Fields of a new mailbox. */
export interface NewMailbox {
  readonly tenantId: number
  readonly domainId: number
  readonly localPart: string
  readonly address: string
  readonly passwordHash: string
  readonly quota: number | null
  readonly userId: number | null
}

/** Creates a mailbox at an unused address. A user's first mailbox becomes the default one. */
export const create = Effect.fnUntraced(function* ({
  address,
  domainId,
  localPart,
  passwordHash,
  quota,
  tenantId,
  userId
}: NewMailbox) {
  const sql = yield* SqlClient.SqlClient
  if (userId !== null) yield* inTurn(tenantId, userId)
  const [row] = yield* sql<Mailbox>`insert into mail_admin.mailbox
      (tenant_id, domain_id, local_part, address, user_id, password_hash, quota_mb, is_default)
    values (${tenantId}, ${domainId}, ${localPart}, ${address}, ${userId}, ${passwordHash}, ${quota},
      ${userId}::int is not null and not exists (
        select 1 from mail_admin.mailbox where tenant_id = ${tenantId} and user_id = ${userId} and is_default))
    returning ${fields(sql)}`
  yield* tell(MailAccountCreated, row!)
  return row!
})

/** Fields of a mailbox that can change; `quota` null removes the limit. */
export interface Change {
  readonly passwordHash?: string
  readonly quota?: number | null
  readonly state?: Mailbox["state"]
}

/** Changes the given fields of an existing mailbox. */
export const change = Effect.fnUntraced(function* (id: number, to: Change) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Mailbox>`update mail_admin.mailbox set
      password_hash = coalesce(${to.passwordHash ?? null}, password_hash), state = coalesce(${to.state ?? null}, state),
      quota_mb = ${to.quota === undefined ? sql`quota_mb` : sql`${to.quota}::int`},
      version = nextval('mail_admin.account_version'), updated_at = now()
    where id = ${id} returning ${fields(sql)}`
  yield* tell(
    to.state === undefined ? MailAccountChanged : to.state === "active" ? MailAccountUnsuspended : MailAccountSuspended,
    row!
  )
  return row!
})

/**
 * Sets or removes the user of an existing mailbox. The first mailbox of a user is the user's default; the former user's
 * oldest remaining one becomes theirs. `linksByAddress`: whether the user of its address may get the mailbox later.
 */
export const setUser = Effect.fnUntraced(function* (before: Mailbox, userId: number | null, linksByAddress = true) {
  const sql = yield* SqlClient.SqlClient
  const { id, tenant_id: tenant } = before
  for (const user of [before.user_id, userId].filter((one) => one !== null).toSorted((a, b) => a - b))
    yield* inTurn(tenant, user)
  const [row] = yield* sql<Mailbox>`update mail_admin.mailbox set user_id = ${userId}::int,
      links_by_address = ${linksByAddress},
      is_default = ${userId}::int is not null and not exists (select 1 from mail_admin.mailbox
        where tenant_id = ${tenant} and user_id = ${userId} and is_default and id <> ${id}),
      version = nextval('mail_admin.account_version'), updated_at = now()
    where id = ${id} returning ${fields(sql)}`
  yield* tell(MailAccountChanged, row!)
  if (before.user_id !== null && before.user_id !== userId && before.is_default) yield* inherit(tenant, before.user_id)
  return row!
})

/** Keeps a mailbox without user from getting the user of its address. */
export const keepUnlinked = (id: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`update mail_admin.mailbox set links_by_address = false where id = ${id}`
  )

/** Deletes a mailbox. If it was its user's default, the oldest remaining one becomes the default. */
export const remove = Effect.fnUntraced(function* (mailbox: Mailbox) {
  const sql = yield* SqlClient.SqlClient
  const { id, tenant_id: tenant, user_id: user } = mailbox
  if (user !== null) yield* inTurn(tenant, user)
  // The folder with the mail stays for a while; `signalbox mail-server purge` deletes it.
  yield* sql`insert into mail_admin.deleted_home (mailbox_id, tenant_id, address, home)
    select id, tenant_id, address, mail_admin.home_of(id, former_home) from mail_admin.mailbox where id = ${id}`
  const [gone] = yield* sql<Mailbox>`delete from mail_admin.mailbox where id = ${id} returning ${fields(sql)}`
  if (gone === undefined) return
  const [next] = yield* sql<{ version: number }>`select nextval('mail_admin.account_version')::int as version`
  yield* tell(MailAccountDeleted, { ...gone, version: next!.version }, "deleted")
  if (user !== null && gone.is_default) yield* inherit(tenant, user)
})

/** Makes the user's oldest mailbox the default one. */
const inherit = Effect.fnUntraced(function* (tenant: number, user: number) {
  const sql = yield* SqlClient.SqlClient
  const [heir] = yield* sql<Mailbox>`update mail_admin.mailbox set
      is_default = true, version = nextval('mail_admin.account_version'), updated_at = now()
    where id = (select min(id) from mail_admin.mailbox where tenant_id = ${tenant} and user_id = ${user})
    returning ${fields(sql)}`
  if (heir !== undefined) yield* tell(MailAccountChanged, heir)
})

/** Serialises changes of a user's default mailbox. */
const inTurn = (tenant: number, user: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`select pg_advisory_xact_lock(hashtext(${`mail_admin.default/${tenant}`}), ${user})`
  )

const tell = (event: typeof MailAccountCreated, row: Mailbox, state: MailAccountState = row.state) =>
  Effect.flatMap(Events, (events) =>
    events.emit(
      event,
      source,
      {
        account_id: row.id,
        address: row.address,
        user_id: row.user_id,
        tenant_id: row.tenant_id,
        state,
        is_default: row.is_default,
        version: row.version
      },
      { tenantId: row.tenant_id }
    )
  )
