/** Preferences of users. Runs in the surrounding transaction with its role. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Choice } from "./ChannelChoice.ts"

/** A choice and its user. */
export interface Preference extends Choice {
  readonly user_id: number
}

/** All choices of these users. */
export const read = (users: ReadonlyArray<number>) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql<Preference>`select user_id, event_type, channel, enabled from comm_dispatcher.notification_preference
      where user_id = any(${users}::int[]) order by user_id, event_type, channel`
  )

/** Replaces all choices of the user. */
export const replace = Effect.fnUntraced(function* (
  owner: { readonly userId: number; readonly tenantId: number },
  choices: ReadonlyArray<Choice>
) {
  const sql = yield* SqlClient.SqlClient
  // Concurrent calls for one user wait for each other; the last one wins.
  yield* sql`select pg_advisory_xact_lock(hashtext('notification preferences'), ${owner.userId})`
  yield* sql`delete from comm_dispatcher.notification_preference where user_id = ${owner.userId}`
  if (choices.length === 0) return
  yield* sql`insert into comm_dispatcher.notification_preference (user_id, tenant_id, event_type, channel, enabled)
    select ${owner.userId}, ${owner.tenantId}, c.event_type, c.channel, c.enabled
      from unnest(${choices.map((choice) => choice.event_type)}::text[],
        ${choices.map(({ channel }) => channel)}::text[],
                  ${choices.map(({ enabled }) => enabled)}::boolean[]) as c (event_type, channel, enabled)`
})
