/**
 * Users who can be notified: a table fed from `identity.user.*` since the first event, and their chats. Runs in the
 * surrounding transaction with its role.
 */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { UserChanged } from "#core/contracts/Identity.ts"
import type { NotificationRecipient } from "#core/contracts/Notifications.ts"
import { type Event, Events } from "#core/events/Events.ts"
import { transaction } from "#core/sql/Sql.ts"
import * as Chats from "./message/Chats.ts"

/** A user who is not deleted. */
export interface Member {
  readonly user_id: number
  readonly tenant_id: number
  readonly email: string
  readonly name: string
  /** BCP 47. */
  readonly locale: string
  /** Name of the IANA database; null: the account has none. */
  readonly time_zone: string | null
  readonly active: boolean
}

/** The users that a recipient stands for. In a tenant's transaction only users of that tenant. */
export const recipients = (to: NotificationRecipient) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql<Member>`select user_id, tenant_id, email, name, locale, time_zone, state = 'active' as active
      from comm_dispatcher.member
      where ${
        "user_id" in to
          ? sql`user_id = ${to.user_id}
        and state <> 'deleted'`
          : sql`tenant_id = ${to.tenant_admins} and role = 'admin' and state = 'active'`
      }
      order by user_id`
  )

/** Decoding is not needed: the contract's encoded and decoded forms are equal. */
const isUser = Schema.is(UserChanged.data)

/** Stores the newest state. Of a deleted user only the id and state remain; their data is removed. */
const store = Effect.fnUntraced(function* (user: typeof UserChanged.data.Type) {
  const sql = yield* SqlClient.SqlClient
  const deleted = user.state === "deleted"
  yield* sql`insert into comm_dispatcher.member as m (user_id, tenant_id, email, name, role, locale, time_zone,
      state, version)
    values (${user.user_id}, ${user.tenant_id}, ${deleted ? "" : user.email}, ${deleted ? "" : user.name},
      ${user.role}, ${user.locale}, ${deleted ? null : (user.time_zone ?? null)}, ${user.state}, ${user.version})
    on conflict (user_id) do update set tenant_id = excluded.tenant_id, email = excluded.email, name = excluded.name,
      role = excluded.role,
      locale = excluded.locale, time_zone = excluded.time_zone, state = excluded.state, version = excluded.version
    where m.version < excluded.version`
  if (!deleted) return
  for (const table of [
    "notification_preference",
    "notification_setting",
    "notification_held",
    "member_chat",
    "push_subscription"
  ]) {
    yield* sql`delete from ${sql.literal(`comm_dispatcher.${table}`)} where user_id = ${user.user_id}`
  }
})

export const membersConsumer = Effect.gen(function* () {
  const events = yield* Events
  const handle = (event: Event) =>
    isUser(event.data)
      ? transaction(store(event.data))
      : Chats.isChange(event.data)
        ? transaction(Chats.store(event.data))
        : Effect.logError(`event ${event.id} (${event.type}) is not a valid user or chat event; skipped`)
  return events.consumer({
    name: "comm-dispatcher.members",
    pattern: ["identity.user.*", "identity.messenger.*"],
    from: "beginning",
    handle
  })
})
