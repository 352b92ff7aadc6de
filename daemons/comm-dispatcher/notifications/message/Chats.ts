/** Which chat is whose, as identity last told. Runs in the surrounding transaction with the role it has. */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { MessengerChatChanged } from "#core/contracts/Messenger.ts"

/** The encoded form is the decoded one: the contract has only plain members. */
export const isChange = Schema.is(MessengerChatChanged.data)

/** Of a user who may be told something; undefined: none is confirmed, or they are suspended or gone. */
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

/** Writes the newest. Of one reader with the users (Members), so that nothing comes back of somebody deleted. */
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
    on conflict (user_id) do update set tenant_id = excluded.tenant_id, chat_id = excluded.chat_id, version = excluded.version
    where c.version <= excluded.version`
})
