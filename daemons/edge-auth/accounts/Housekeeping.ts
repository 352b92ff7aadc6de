/** Deletes expired attempts, sessions and codes. Placed: runs in one process of the fleet. */
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { periodic } from "#core/supervision/Periodic.ts"
import type { Wake } from "#core/events/Wake.ts"
import type { Database } from "#core/sql/Database.ts"
import type { ActorSpec } from "#core/supervision/Supervisor.ts"
import * as Attempts from "./Attempts.ts"
import * as HalfSignIn from "./HalfSignIn.ts"
import * as Registrations from "./Registrations.ts"
import * as Sessions from "./Sessions.ts"
import * as Users from "./Users.ts"

/** Interval between two rounds. */
const every = Duration.minutes(10)

export const housekeeping = (limits: Attempts.Limits): ActorSpec<SqlClient.SqlClient | Database | Wake> =>
  periodic({
    name: "housekeeping",
    every,
    round: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const attempts = yield* Attempts.prune(limits)
      const sessions = yield* Sessions.prune
      yield* HalfSignIn.prune
      const expired = yield* Registrations.prune
      yield* Users.prune
      yield* sql`delete from edge_auth.handoffs where expires_at < now()`
      yield* sql`delete from edge_auth.protected_routes where removed_at < now() - interval '1 day'`
      return `removed ${attempts} attempts, ${sessions} sessions, ${expired} users who were not approved`
    })
  })
