/**
 * SQL rows of contacts: one per contact, per mail address and per indexed word. Runs in the surrounding transaction.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Account } from "../../accounts/Exports.ts"
import { type ContactFields, foldContact, wordsOf } from "./ContactFields.ts"
import { foldPerson } from "./Folding.ts"

/** Inserts contacts and returns their ids in the same order. */
export const insert = Effect.fnUntraced(function* (account: Account, contacts: ReadonlyArray<ContactFields>) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  const ids = (yield* sql<{
    id: number
  }>`select nextval('mail_watcher.contact_id_seq')::int as id from generate_series(1, ${contacts.length})`).map(
    ({ id }) => id
  )
  const rows = contacts.map((contact, index) => ({ ...contact, id: ids[index], folded: foldContact(contact) }))
  yield* sql`insert into mail_watcher.contact (id, tenant_id, account_id, name, company, emails, phones, websites,
    messenger, chat_app, note, folded)
    select id, ${account.tenant_id}, ${account.id}, name, company, emails, phones, websites, messenger, chat_app,
      note, folded
      from jsonb_to_recordset(${pg.json(rows)}) as r (id int, name text, company text, emails jsonb, phones jsonb,
        websites jsonb,
        messenger text, chat_app text, note text, folded text)`
  yield* found(
    account,
    contacts.map((contact, index) => [ids[index]!, contact])
  )
  return ids
})

/** Replaces the rows of one contact. */
export const update = Effect.fnUntraced(function* (account: Account, id: number, contact: ContactFields) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  yield* sql`update mail_watcher.contact set name = ${contact.name}, company = ${contact.company},
    emails = ${pg.json(contact.emails)},
    phones = ${pg.json(contact.phones)}, websites = ${pg.json(contact.websites)}, messenger = ${contact.messenger},
      chat_app = ${contact.chat_app},
    note = ${contact.note}, folded = ${foldContact(contact)}, updated_at = now() where id = ${id}`
  yield* sql`delete from mail_watcher.contact_email where contact_id = ${id}`
  yield* sql`delete from mail_watcher.contact_word where contact_id = ${id}`
  yield* found(account, [[id, contact]])
})

/** Inserts the rows that the search reads. */
const found = Effect.fnUntraced(function* (
  account: Account,
  contacts: ReadonlyArray<readonly [id: number, contact: ContactFields]>
) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  const emails = contacts.flatMap(([id, { company, emails, name }]) =>
    emails.map((address) => ({ id, address, name, folded: foldPerson(`${name} ${company}`, address) }))
  )
  const words = contacts.flatMap(([id, contact]) =>
    contact.emails.length === 0 ? [] : wordsOf(contact).map((word) => ({ id, word }))
  )
  yield* sql`insert into mail_watcher.contact_email (tenant_id, account_id, contact_id, address, name, folded)
    select ${account.tenant_id}, ${account.id}, id, address, name, folded
      from jsonb_to_recordset(${pg.json(emails)}) as r (id int, address text, name text, folded text)`
  yield* sql`insert into mail_watcher.contact_word (tenant_id, account_id, contact_id, word)
    select ${account.tenant_id}, ${account.id}, id, word from jsonb_to_recordset(${pg.json(words)}) as r (id int,
      word text)`
})
