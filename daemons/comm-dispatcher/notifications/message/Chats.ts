/** Chats of users, as last reported by identity. Runs in the surrounding transaction with its role. */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { MessengerChatChanged } from "#core/contracts/Messenger.ts"

/** Decoding is not needed: the contract's encoded and decoded forms are equal. */
export const isChange = Schema.is(MessengerChatChanged.data)

/** The confirmed chat of an active user; undefined without one. */
export const chatOf = (user: number) =>
  Effect.map(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) =>
        sql<{
          chat_id: string
        }>`select c.chat_id from comm_dispatcher.member_chat c join comm_dispatcher.member m using (user_id)
        where c.user_id = ${user} and c.chat_id is not null and m.state = 'active'`
    ),
    ([row]) => row?.chat_id
  )

/** Stores the newest chat. One consumer stores users and chats, so that data of a deleted user does not return. */
export const store = Effect.fnUntraced(function* ({
  chat_id,
  tenant_id,
  user_id,
  version
}: typeof MessengerChatChanged.data.Type) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`insert into comm_dispatcher.member_chat as c (user_id, tenant_id, chat_id, version)
    select ${user_id}::int, ${tenant_id}::int, ${chat_id}::text, ${version}::int
      where not exists (select 1 from comm_dispatcher.member where user_id = ${user_id} and state = 'deleted')
    on conflict (user_id) do update set tenant_id = excluded.tenant_id, chat_id = excluded.chat_id,
      version = excluded.version
    where c.version <= excluded.version`
})
