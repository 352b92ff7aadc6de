/**
 * Which process runs the checks of a machine, or those of the whole installation. The process that holds the lease goes
 * on while Postgres is away, because nobody else can take it then.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** How long a lease is valid. Unit: seconds. Reason: three renewals may fail; the checks pause for a minute at most. */
export const validity = 60

/** Interval of renewals. Unit: seconds. */
export const renewal = 15

export const hostScope = (host: string): string => `host:${host}`
export const fleetScope = "fleet"

/** Takes or renews the lease. False: another process holds it. */
export const claim = Effect.fnUntraced(function* (scope: string, holder: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    insert into watchdog.monitoring_lease as lease (scope, holder, until)
      values (${scope}, ${holder}::uuid, now() + make_interval(secs => ${validity}))
      on conflict (scope) do update set holder = excluded.holder, until = excluded.until
        where lease.holder = excluded.holder or lease.until < now()
      returning scope`
  return rows.length > 0
})

/** Lets another process take over at once. */
export const release = Effect.fnUntraced(function* (scope: string, holder: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`delete from watchdog.monitoring_lease where scope = ${scope} and holder = ${holder}::uuid`
})
