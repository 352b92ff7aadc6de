/** Which chat is whose, as identity last told: fed from `identity.messenger.changed` since the beginning. */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { MessengerChatChanged } from "#core/contracts/Messenger.ts"
import { type Event, Events } from "#core/Events.ts"

const isChange = Schema.is(MessengerChatChanged.data)

/** Of a user who may be told something; undefined: none is confirmed, or they are suspended or gone. */
export const chatOf = (user: number) =>
  Effect.map(
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      sql<{ chat_id: string }>`select c.chat_id from comm_dispatcher.member_chat c join comm_dispatcher.member m using (user_id)
        where c.user_id = ${user} and c.chat_id is not null and m.state = 'active'`),
    ([row]) => row?.chat_id
  )

export const chatsConsumer = Effect.gen(function*() {
  const events = yield* Events
  const handle = (event: Event) =>
    Effect.gen(function*() {
      if (!isChange(event.data)) return yield* Effect.logError(`event ${event.id} (${event.type}) is no chat and is passed over`)
      const sql = yield* SqlClient.SqlClient
      const { chat_id, tenant_id, user_id, version } = event.data
      yield* sql`insert into comm_dispatcher.member_chat as c (user_id, tenant_id, chat_id, version) values (${user_id}, ${tenant_id}, ${chat_id}, ${version})
        on conflict (user_id) do update set tenant_id = excluded.tenant_id, chat_id = excluded.chat_id, version = excluded.version
        where c.version <= excluded.version`
    })
  return events.consumer({ name: "comm-dispatcher.chats", pattern: "identity.messenger.*", from: "beginning", handle })
})
