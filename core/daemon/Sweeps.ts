/**
 * The house-keeping every process's frame shares: old events, old idempotency keys, stale cache rows, sessions
 * long ended, the oldest of the audit log. Placed: one in the
 * fleet.
 */
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { keptDays } from "../log/Audit.ts"
import * as Events from "../events/Events.ts"
import * as Idempotency from "../http/Idempotency.ts"
import { periodic } from "../supervision/Periodic.ts"
import type { ActorSpec } from "../supervision/Supervisor.ts"

/** How long events are kept for late readers and for resuming clients. Unit: days. */
export const eventRetention = 14

/** Between two sweeps. Unit: minutes. */
const interval = Duration.minutes(10)

export const sweeps: ActorSpec<SqlClient.SqlClient> = periodic({
  name: "sweeps",
  every: interval,
  round: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const events = yield* Events.prune(eventRetention)
    const keys = yield* Idempotency.prune
    yield* sql`delete from core.cache where expires_at < now()`
    yield* sql`delete from core.ended_session where forget_at < now()`
    yield* sql`delete from core.audit where at < now() - make_interval(days => ${keptDays})`
    return `removed ${events} events, ${keys} idempotency keys`
  })
})
