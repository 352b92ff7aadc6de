/**
 * The house-keeping every process's frame shares: old events, old idempotency keys, stale cache rows, sessions
 * long ended, the oldest of the audit log. Placed: one in the
 * fleet.
 */
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { keptDays } from "./Audit.ts"
import * as Events from "./Events.ts"
import * as Idempotency from "./http/Idempotency.ts"
import { Actor, type ActorSpec } from "./Supervisor.ts"

/** How long events are kept for late readers and for resuming clients. Unit: days. */
export const eventRetention = 14

/** Between two sweeps. Unit: minutes. */
const interval = Duration.minutes(10)

export const sweeps: ActorSpec<SqlClient.SqlClient> = {
  name: "sweeps",
  placed: true,
  stallAfter: Duration.minutes(30),
  run: Effect.gen(function*() {
    const actor = yield* Actor
    const sql = yield* SqlClient.SqlClient
    while (true) {
      yield* actor.progress
      const events = yield* Events.prune(eventRetention)
      const keys = yield* Idempotency.prune
      yield* sql`delete from core.cache where expires_at < now()`
      yield* sql`delete from core.ended_session where forget_at < now()`
      yield* sql`delete from core.audit where at < now() - make_interval(days => ${keptDays})`
      yield* actor.note(`last sweep removed ${events} events, ${keys} idempotency keys`)
      yield* Effect.sleep(interval)
    }
  })
}
