/** State of critical services in Postgres, and the lease of the process that restarts them. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { State } from "./RestartDecision.ts"
import { host } from "./RestartStore.ts"

interface Row {
  readonly name: string
  readonly failing_since: Date | null
  readonly restarts: ReadonlyArray<Date>
  readonly gave_up_at: Date | null
  readonly engine_restarts: number | null
}

/** Takes or renews the lease of this host for `seconds`. False while another process has it. */
export const lease = Effect.fnUntraced(function* (worker: string, seconds: number) {
  const sql = yield* SqlClient.SqlClient
  const held = yield* sql`insert into watchdog.service_keeper as k (host, worker, until)
    values (${host}, ${worker}, now() + make_interval(secs => ${seconds}))
    on conflict (host) do update set worker = excluded.worker, until = excluded.until
      where k.worker = excluded.worker or k.until < now()
    returning 1`
  return held.length > 0
})

/** Lets another process take over at once. Does nothing while another process has the lease. */
export const release = Effect.fnUntraced(function* (worker: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`delete from watchdog.service_keeper where host = ${host} and worker = ${worker}`
})

export const read = Effect.fnUntraced(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<Row>`select name, failing_since, restarts, gave_up_at, engine_restarts
    from watchdog.critical_service where host = ${host}`
  return new Map(
    rows.map((row): readonly [string, State] => [
      row.name,
      {
        failingSince: row.failing_since?.getTime() ?? null,
        restarts: row.restarts.map((at) => at.getTime()),
        gaveUpAt: row.gave_up_at?.getTime() ?? null,
        engineRestarts: row.engine_restarts
      }
    ])
  )
})

export const write = Effect.fnUntraced(function* (name: string, state: State) {
  const sql = yield* SqlClient.SqlClient
  const time = (at: number | null) => (at === null ? null : new Date(at))
  const restarts = state.restarts.map((at) => new Date(at).toISOString())
  yield* sql`insert into watchdog.critical_service (host, name, failing_since, restarts, gave_up_at, engine_restarts)
    values (${host}, ${name}, ${time(state.failingSince)}, ${restarts}::timestamptz[], ${time(state.gaveUpAt)},
      ${state.engineRestarts})
    on conflict (host, name) do update set failing_since = excluded.failing_since, restarts = excluded.restarts,
      gave_up_at = excluded.gave_up_at, engine_restarts = excluded.engine_restarts`
})
