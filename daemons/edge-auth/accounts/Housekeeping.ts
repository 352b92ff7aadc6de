/** Forgets what is past its time: attempts, sessions, codes. Placed: one in the fleet. */
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Actor, type ActorSpec } from "#core/Supervisor.ts"
import * as Attempts from "./Attempts.ts"
import * as HalfSignIn from "./HalfSignIn.ts"
import * as Sessions from "./Sessions.ts"

/** Between two rounds. Unit: minutes. */
const every = Duration.minutes(10)

export const housekeeping = (limits: Attempts.Limits): ActorSpec<SqlClient.SqlClient> => ({
  name: "housekeeping",
  placed: true,
  stallAfter: Duration.minutes(30),
  run: Effect.gen(function*() {
    const actor = yield* Actor
    const sql = yield* SqlClient.SqlClient
    while (true) {
      yield* actor.progress
      const attempts = yield* Attempts.prune(limits)
      const sessions = yield* Sessions.prune
      yield* HalfSignIn.prune
      yield* sql`delete from edge_auth.handoffs where expires_at < now()`
      yield* sql`delete from edge_auth.protected_routes where removed_at < now() - interval '1 day'`
      yield* actor.note(`last round removed ${attempts} attempts, ${sessions} sessions`)
      yield* Effect.sleep(every)
    }
  })
})
