/** Deletes expired rows of sent mails and unused uploads. Placed: one in the fleet. */
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Actor, type ActorSpec } from "#core/supervision/Supervisor.ts"
import { triedHours } from "./MissingCopies.ts"
import { rememberedFor } from "./Store.ts"
import { uploadHours } from "./uploads/Store.ts"

/** Interval between two sweeps. Unit: minutes. */
const interval = Duration.minutes(10)

export const forget = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.gen(function* () {
    yield* sql`delete from mail_watcher.upload where created_at < now() - make_interval(hours => ${uploadHours})`
    // A missing copy still needs its mail's row.
    yield* sql`delete from mail_watcher.sending s where created_at < now() - make_interval(hours => ${rememberedFor})
      and (not exists (select 1 from mail_watcher.missing_copy m
        where m.sending_id = s.id) or created_at < now() - make_interval(hours => ${2 * triedHours}))`
  })
)

export const sendingSweep: ActorSpec<SqlClient.SqlClient> = {
  name: "writing sweep",
  placed: true,
  stallAfter: Duration.minutes(30),
  run: Effect.gen(function* () {
    const actor = yield* Actor
    while (true) {
      yield* actor.progress
      yield* forget
      yield* Effect.sleep(interval)
    }
  })
}
