/**
 * Upkeep that is shared by all daemons: deletes old events, idempotency keys, cache rows, ended sessions and audit
 * entries, and rows of killed cluster runners. Placed: runs in one process of the fleet.
 */
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { removeDeadRunners } from "../cluster/Cluster.ts"
import { keptDays } from "../log/Audit.ts"
import * as Prune from "../events/Prune.ts"
import * as Idempotency from "../http/Idempotency.ts"
import { periodic } from "../supervision/Periodic.ts"
import type { ActorSpec } from "../supervision/Supervisor.ts"

/** Retention of events, for late consumers and resuming clients. Unit: days. */
export const eventRetention = 14

/** Interval of the sweeps. Unit: minutes. */
const interval = Duration.minutes(10)

export const sweeps: ActorSpec<SqlClient.SqlClient> = periodic({
  name: "sweeps",
  every: interval,
  round: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const events = yield* Prune.prune(eventRetention)
    const keys = yield* Idempotency.prune
    yield* sql`delete from core.cache where expires_at < now()`
    yield* sql`delete from core.request where expires_at < now() - interval '1 minute'`
    yield* sql`delete from core.ended_session where forget_at < now()`
    yield* sql`delete from core.audit where at < now() - make_interval(days => ${keptDays})`
    yield* removeDeadRunners
    return `removed ${events} events, ${keys} idempotency keys`
  })
})
