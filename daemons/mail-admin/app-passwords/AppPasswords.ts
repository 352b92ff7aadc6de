/**
 * Table of app passwords. Functions run in the surrounding transaction with its role, so a tenant's transaction sees
 * and changes only its own rows. Every change writes the audit log.
 */
import { Effect } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { NotFound } from "#core/http/Problem.ts"
import * as Audit from "#core/log/Audit.ts"
import { cutSessions } from "../session-cuts/Exports.ts"
import { maxAppPasswords } from "./AppPassword.ts"

export interface AppPassword {
  readonly id: number
  readonly tenant_id: number
  readonly mailbox_id: number
  readonly address: string
  readonly user_id: number
  readonly device_id: string
  readonly device_name: string
  readonly created_at: Date
}

/** The mailbox of a request, with the tags of its app passwords for other devices. */
export interface Asked {
  readonly mailboxId: number
  readonly taken: ReadonlySet<string>
}

/** Who asks for a password: a device of a user. */
export interface Device {
  readonly user_id: number
  readonly tenant_id: number
  readonly device_id: string
  readonly address: string
}

/** The active mailbox with this address if it is the user's own; undefined otherwise. */
export const mailboxOf = Effect.fnUntraced(function* (device: Device) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ id: number; tags: ReadonlyArray<string> }>`
    select m.id, array(select a.tag from mail_admin.app_password a
        where a.mailbox_id = m.id and a.device_id <> ${device.device_id}) as tags
      from mail_admin.mailbox m
     where m.address = ${device.address} and m.tenant_id = ${device.tenant_id} and m.user_id = ${device.user_id}
       and m.state = 'active'`
  return row === undefined ? undefined : ({ mailboxId: row.id, taken: new Set(row.tags) } satisfies Asked)
})

/** Hash and tag of a new password. */
export interface NewPassword {
  readonly mailboxId: number
  readonly hash: string
  readonly tag: string
  readonly deviceName: string
  /** Address of the client that sets up the device. */
  readonly clientIp: string
}

/**
 * Stores the password of a device in place of an earlier one of the same device. Returns false when the mailbox is not
 * the user's any more, or another device got the tag in the meantime.
 */
export const store = Effect.fnUntraced(function* (device: Device, made: NewPassword) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`select 1 from mail_admin.mailbox where id = ${made.mailboxId} for update`
  const asked = yield* mailboxOf(device)
  if (asked?.mailboxId !== made.mailboxId) return false
  if (asked.taken.has(made.tag) || asked.taken.size >= maxAppPasswords) return false
  const [row] = yield* sql<{ id: number }>`insert into mail_admin.app_password
      (tenant_id, mailbox_id, user_id, device_id, device_name, tag, password_hash)
    values (${device.tenant_id}, ${made.mailboxId}, ${device.user_id}, ${device.device_id}, ${made.deviceName},
      ${made.tag}, ${made.hash})
    on conflict (mailbox_id, device_id) do update set user_id = excluded.user_id, device_name = excluded.device_name,
      tag = excluded.tag, password_hash = excluded.password_hash, created_at = now()
    returning id`
  yield* Audit.write({
    tenantId: device.tenant_id,
    actor: `user:${device.user_id}`,
    action: "mail_app_password.created",
    entity: "mail_app_password",
    id: String(row!.id),
    address: made.clientIp,
    detail: { address: device.address, device_id: device.device_id, device: made.deviceName }
  })
  return true
})

/** App passwords of a mailbox, newest first; 404 when the mailbox does not exist. */
export const list = Effect.fnUntraced(function* (mailboxId: number) {
  const sql = yield* SqlClient.SqlClient
  const [mailbox] = yield* sql`select 1 from mail_admin.mailbox where id = ${mailboxId}`
  if (mailbox === undefined) return yield* new NotFound({ detail: "The mailbox does not exist." })
  return yield* selected(sql, sql`a.mailbox_id = ${mailboxId}`)
})

/** Ends one app password of a mailbox, or fails with 404. */
export const remove = Effect.fnUntraced(function* (mailboxId: number, id: number) {
  const sql = yield* SqlClient.SqlClient
  yield* endedByCaller(sql, sql`a.mailbox_id = ${mailboxId} and a.id = ${id}`)
})

/**
 * App passwords of the mailboxes of a user, newest first. Passwords that a former user of the mailbox made are left
 * out: they have no effect, and the names of those devices are no business of the present user.
 */
export const listOwn = Effect.fnUntraced(function* (userId: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* selected(sql, own(sql, userId))
})

/** Ends one app password that `listOwn` returns for the user, or fails with 404. */
export const removeOwn = Effect.fnUntraced(function* (userId: number, id: number) {
  const sql = yield* SqlClient.SqlClient
  yield* endedByCaller(sql, sql`${own(sql, userId)} and a.id = ${id}`)
})

const own = (sql: SqlClient.SqlClient, userId: number): Statement.Fragment =>
  sql`m.user_id = ${userId} and a.user_id = ${userId}`

/** Ends the one app password that matches, or fails with 404. */
const endedByCaller = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, where: Statement.Fragment) {
  const [row] = yield* selected(sql, where)
  if (row === undefined) return yield* new NotFound({ detail: "The app password does not exist." })
  yield* ended(row)
  yield* Audit.writeFor(entryOf(row, "mail_app_password.revoked"))
})

/** Ends the app passwords of a device in all mailboxes of the tenant. Repeated calls change nothing. */
export const removeOfDevice = Effect.fnUntraced(function* (
  { device_id: device, tenant_id: tenant }: Pick<Device, "device_id" | "tenant_id">,
  reason: string
) {
  const sql = yield* SqlClient.SqlClient
  for (const row of yield* selected(sql, sql`a.device_id = ${device} and a.tenant_id = ${tenant}`)) {
    yield* ended(row)
    yield* Audit.write({ ...entryOf(row, "mail_app_password.revoked", { reason }), actor: "system" })
  }
})

const selected = (sql: SqlClient.SqlClient, where: Statement.Fragment) =>
  sql<AppPassword>`select a.id, a.tenant_id, a.mailbox_id, m.address, a.user_id, a.device_id, a.device_name,
      a.created_at
    from mail_admin.app_password a join mail_admin.mailbox m on m.id = a.mailbox_id where ${where} order by a.id desc`

/** Deletes the row and ends all sessions of the mailbox, because the mail server cannot end one of them alone. */
const ended = Effect.fnUntraced(function* ({ address, id }: AppPassword) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`delete from mail_admin.app_password where id = ${id}`
  yield* cutSessions(address)
})

const entryOf = (row: AppPassword, action: string, more: Audit.Entry["detail"] = {}) => ({
  tenantId: row.tenant_id,
  action,
  entity: "mail_app_password",
  id: String(row.id),
  detail: { address: row.address, device_id: row.device_id, device: row.device_name, ...more }
})
