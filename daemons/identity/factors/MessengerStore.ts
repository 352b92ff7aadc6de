/**
 * The table of chats that sign-in codes go to: one an account, pending until a code sent there came back. Functions run
 * in the surrounding transaction with the role it has.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The chat of a confirmed factor. */
export const chatOf = Effect.fnUntraced(function* (accountId: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ chat_id: string }>`select chat_id from identity.messenger_factor
    where account_id = ${accountId} and confirmed_at is not null`
  return row?.chat_id
})

/** Those of these accounts, as `MessengerChatChanged` tells of them. */
export const chatsOf = (accounts: ReadonlyArray<number>) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql<{
        user_id: number
        tenant_id: number
        chat_id: string
        version: number
      }>`select a.id as user_id, a.tenant_id, f.chat_id, a.version
      from identity.messenger_factor f join identity.account a on a.id = f.account_id
      where a.id = any(${accounts}::int[]) and f.confirmed_at is not null order by a.id`
  )

/** Puts a chat in place of one that was never confirmed; false when a confirmed one stands. */
export const begin = Effect.fnUntraced(function* (
  account: { readonly id: number; readonly tenant_id: number },
  chatId: string
) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`insert into identity.messenger_factor as m (account_id, tenant_id, chat_id)
    values (${account.id}, ${account.tenant_id}, ${chatId})
    on conflict (account_id) do update set chat_id = excluded.chat_id, created_at = now() where m.confirmed_at is null returning 1`
  return rows.length > 0
})

/** Confirms the pending chat; false when there is none. */
export const confirm = Effect.fnUntraced(function* (accountId: number) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`update identity.messenger_factor set confirmed_at = now()
    where account_id = ${accountId} and confirmed_at is null returning 1`
  return rows.length > 0
})

/** Removes it; says whether it was there, and whether it was confirmed. */
export const remove = Effect.fnUntraced(function* (accountId: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ confirmed: boolean }>`delete from identity.messenger_factor where account_id = ${accountId}
    returning confirmed_at is not null as confirmed`
  return row
})
