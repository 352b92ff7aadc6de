/** Deletes expired sessions, refresh tokens, links and throttle rows. Placed: one actor in the fleet. */
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { periodic } from "#core/supervision/Periodic.ts"
import type { ActorSpec } from "#core/supervision/Supervisor.ts"
import { Throttle } from "./throttle/Throttle.ts"

/**
 * How long ended sessions and used refresh tokens are kept. Unit: days. Reason: reuse of a copied token stays
 * detectable.
 */
export const keptDays = 30

/**
 * How long used and expired links are kept. Unit: days. Reason: no code needs them; a day allows an operator to
 * investigate.
 */
export const linksKeptDays = 1

/** Interval of the sweep. Unit: minutes. */
const interval = Duration.minutes(30)

/** Deletes expired rows; returns the number of deleted sessions. */
export const sweep = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const sessions = yield* sql`delete from identity.session
    where coalesce(ended_at, expires_at) < now() - make_interval(days => ${keptDays}) returning 1`
  yield* sql`delete from identity.refresh_token where used_at < now() - make_interval(days => ${keptDays})`
  yield* sql`delete from identity.sign_in_link
    where coalesce(used_at, expires_at) < now() - make_interval(days => ${linksKeptDays})`
  yield* Effect.flatMap(Throttle, (throttle) => throttle.sweep)
  return sessions.length
})

export const sweepActor: ActorSpec<SqlClient.SqlClient | Throttle> = periodic({
  name: "session sweep",
  every: interval,
  round: Effect.map(sweep, (deleted) => `deleted ${deleted} sessions`)
})
