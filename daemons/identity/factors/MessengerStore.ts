/**
 * Table of chats that receive sign-in codes: one per account, pending until a code sent there is entered. Functions run
 * in the surrounding transaction with its role.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Chat of the account's confirmed messenger factor, or undefined. */
export const chatOf = Effect.fnUntraced(function* (accountId: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ chat_id: string }>`select chat_id from identity.messenger_factor
    where account_id = ${accountId} and confirmed_at is not null`
  return row?.chat_id
})

/** Stores a pending chat, replacing an unconfirmed one. Returns false when a chat is already confirmed. */
export const begin = Effect.fnUntraced(function* (
  account: { readonly id: number; readonly tenant_id: number },
  chatId: string
) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`insert into identity.messenger_factor as m (account_id, tenant_id, chat_id)
    values (${account.id}, ${account.tenant_id}, ${chatId})
    on conflict (account_id) do update set chat_id = excluded.chat_id, created_at = now()
      where m.confirmed_at is null returning 1`
  return rows.length > 0
})

/** Confirms the pending chat. Returns false when there is none. */
export const confirm = Effect.fnUntraced(function* (accountId: number) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`update identity.messenger_factor set confirmed_at = now()
    where account_id = ${accountId} and confirmed_at is null returning 1`
  return rows.length > 0
})

/** Removes the chat. Returns whether it was confirmed; undefined when there was none. */
export const remove = Effect.fnUntraced(function* (accountId: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ confirmed: boolean }>`delete from identity.messenger_factor where account_id = ${accountId}
    returning confirmed_at is not null as confirmed`
  return row
})
