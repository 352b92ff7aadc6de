/** SQL of the address book. Functions run in the surrounding transaction with its role; changes write the audit log. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { NotFound } from "#core/http/Problem.ts"
import type { Account } from "../../accounts/Exports.ts"
import { writeAudit } from "../AuditNote.ts"
import { LimitReached } from "../Errors.ts"
import { lockAccount } from "../LockAccount.ts"
import { type ContactFields, foldContact } from "./ContactFields.ts"
import * as ContactRows from "./ContactRows.ts"
import { fold } from "./Folding.ts"

/**
 * Maximum number of contacts per account. Reason: more than a company's address book, and search stays within tens of
 * milliseconds.
 */
export const maxContacts = 100_000

export interface Contact extends ContactFields {
  readonly id: number
  readonly created_at: Date
  readonly updated_at: Date
}

const fields = (sql: SqlClient.SqlClient) =>
  sql`id, name, company, emails, phones, websites, messenger, chat_app, note, created_at, updated_at`

/** Contacts, newest first. `q`: every word occurs in the name, the company, an address or a number. */
export const list = Effect.fnUntraced(function* (
  account: Account,
  q: string | undefined,
  before: number | undefined,
  limit: number
) {
  const sql = yield* SqlClient.SqlClient
  const words = q === undefined ? [] : fold(q).split(" ")
  return yield* sql<Contact>`select ${fields(sql)} from mail_watcher.contact where account_id = ${account.id}
    and ${before === undefined ? sql`true` : sql`id < ${before}`}
    and ${sql.and(["true", ...words.map((word) => sql`strpos(folded, ${word}) > 0`)])}
    order by id desc limit ${limit}`
})

/** The contact of this id. Fails with 404. */
export const get = Effect.fnUntraced(function* (account: Account, id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] =
    yield* sql<Contact>`select ${fields(sql)} from mail_watcher.contact where account_id = ${account.id} and id = ${id}`
  return row ?? (yield* new NotFound({ detail: "The contact does not exist." }))
})

export const create = Effect.fnUntraced(function* (account: Account, contact: ContactFields) {
  yield* lockAccount(account)
  yield* room(account, 1)
  const [id] = yield* ContactRows.insert(account, [contact])
  yield* writeAudit("mail_contact", id!, account, "created")
  return yield* get(account, id!)
})

/** Changes the given fields. */
export const update = Effect.fnUntraced(function* (account: Account, id: number, given: Partial<ContactFields>) {
  yield* lockAccount(account)
  yield* ContactRows.update(account, id, { ...(yield* get(account, id)), ...given })
  yield* writeAudit("mail_contact", id, account, "changed", { fields: Object.keys(given) })
  return yield* get(account, id)
})

export const remove = Effect.fnUntraced(function* (account: Account, id: number) {
  const sql = yield* SqlClient.SqlClient
  yield* lockAccount(account)
  const gone = yield* sql`delete from mail_watcher.contact where account_id = ${account.id} and id = ${id} returning 1`
  if (gone.length === 0) return yield* Effect.asVoid(get(account, id))
  yield* writeAudit("mail_contact", id, account, "deleted")
})

/** Inserts contacts that differ from existing ones in name, company, addresses or numbers. Returns their number. */
export const add = Effect.fnUntraced(function* (account: Account, contacts: ReadonlyArray<ContactFields>) {
  const sql = yield* SqlClient.SqlClient
  yield* lockAccount(account)
  const unique = new Map(contacts.map((contact) => [foldContact(contact), contact]))
  if (unique.size === 0) return 0
  const there = yield* sql<{ folded: string }>`select folded from mail_watcher.contact
    where account_id = ${account.id} and ${sql.in("folded", [...unique.keys()])}`
  for (const { folded } of there) unique.delete(folded)
  yield* room(account, unique.size)
  const ids = yield* ContactRows.insert(account, [...unique.values()])
  if (ids.length > 0) yield* writeAudit("mail_contact", ids[0]!, account, "imported", { contacts: ids.length })
  return ids.length
})

const room = Effect.fnUntraced(function* (account: Account, more: number) {
  const sql = yield* SqlClient.SqlClient
  const [{ count }] = (yield* sql<{
    count: number
  }>`select count(*)::int as count from mail_watcher.contact where account_id = ${account.id}`) as [{ count: number }]
  if (count + more > maxContacts)
    return yield* new LimitReached({ limit: maxContacts, detail: "The account has the maximum number of contacts." })
})
