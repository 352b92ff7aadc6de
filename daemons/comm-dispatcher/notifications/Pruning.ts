/** Removes expired notifications, notifications of deleted users, and expired deduplication keys. */
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Actor, type ActorSpec } from "#core/supervision/Supervisor.ts"

/** Interval of the pruning runs. */
const interval = Duration.hours(1)

/** Rows per statement. Reason: a statement of several seconds delays every event reader. */
const batch = 1_000

/** How long the key of a requested notification is kept. Unit: days. Source: core/contracts/Notifications. */
const keyDays = 30

/** Removes one batch. Returns the number of rows. */
export const pruneOnce = (days: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`delete from comm_dispatcher.notification_key
      where created_at < now() - make_interval(days => ${keyDays})`
    // Ids grow over time: when the oldest row is young enough, all rows are.
    const old = yield* sql`delete from comm_dispatcher.notification where id in (
      select id from (select id, created_at from comm_dispatcher.notification n order by n.id limit ${batch}) first
       where created_at < now() - make_interval(days => ${days})) returning 1`
    const orphaned = yield* sql`delete from comm_dispatcher.notification where id in (
      select n.id from comm_dispatcher.notification_count c join comm_dispatcher.member m on m.user_id = c.user_id
        and m.state = 'deleted'
        join comm_dispatcher.notification n on n.user_id = c.user_id where c.total > 0 limit ${batch}) returning 1`
    return old.length + orphaned.length
  })

export const pruning = (days: number): ActorSpec<SqlClient.SqlClient> => ({
  name: "notification pruning",
  placed: true,
  stallAfter: Duration.times(interval, 3),
  run: Effect.gen(function* () {
    const actor = yield* Actor
    while (true) {
      yield* actor.progress
      if ((yield* pruneOnce(days)) < batch) yield* Effect.sleep(interval)
    }
  })
})
