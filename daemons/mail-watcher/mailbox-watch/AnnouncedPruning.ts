/** Deletes fingerprints of announced messages that no scan can need any more. */
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Actor, type ActorSpec } from "#core/supervision/Supervisor.ts"

/** How long a fingerprint stays after the mailbox's latest scan. Unit: days. One more than `announcedMemory`. */
const keptDays = 8

const interval = Duration.minutes(30)

export const pruneAnnounced: ActorSpec<SqlClient.SqlClient> = {
  name: "announced messages",
  placed: true,
  stallAfter: Duration.times(interval, 3),
  run: Effect.gen(function* () {
    const actor = yield* Actor
    const sql = yield* SqlClient.SqlClient
    while (true) {
      yield* actor.progress
      // Relative to the mailbox's latest scan: after a long pause the next scan still needs the older fingerprints.
      const deleted = yield* sql`
        delete from mail_watcher.announced a using mail_watcher.watch w
         where w.account_id = a.account_id and a.at < w.looked_at - make_interval(days => ${keptDays}) returning 1`
      yield* actor.note(`last pruning removed ${deleted.length}`)
      yield* Effect.sleep(interval)
    }
  })
}
