/** Checks of our Postgres: whether it answers, connections, oldest transaction, dead rows, replication. */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { innermost, innermostCode } from "#core/sql/Sql.ts"
import type { BuiltCheck, Reading, Source } from "../BuiltCheck.ts"
import { say } from "../words/Said.ts"

const group = "postgres"

/** Unit: percent of max_connections. */
const connectionLimits = { direction: "above", warning: 80, critical: 95 } as const

/** Unit: seconds. Reason: an open transaction keeps dead rows from being removed, and holds back our events. */
const transactionLimits = { direction: "above", warning: 300, critical: 3_600 } as const

/** Unit: percent of a table's rows. Reason: autovacuum starts at 20 %, so much more means that it does not keep up. */
const deadLimits = { direction: "above", warning: 50, critical: null } as const

/** Tables with fewer dead rows do not count. Unit: rows. */
const fewDead = 100_000

/** Unit: bytes of the log that a standby or a slot has not received. Reason: as much again fills a small disk. */
const lagLimits = { direction: "above", warning: 1024 ** 3, critical: 8 * 1024 ** 3 } as const

export interface Connections {
  readonly used: number
  readonly most: number
}

/** Pure. */
export const judgeConnections = ({ most, used }: Connections): Reading => ({
  value: most === 0 ? 0 : (100 * used) / most,
  ...say("connections", { used, most }),
  measurements: { connections: used, max_connections: most }
})

/** `null`: no transaction is open. Pure. */
export const judgeTransaction = (seconds: number | null): Reading => ({
  value: Math.max(0, seconds ?? 0),
  ...(seconds === null ? say("no_transaction", {}) : say("transaction", { seconds: Math.max(0, seconds) }))
})

/** Pure. */
export const judgeDeadRows = (
  worst: { readonly table: string; readonly dead: number; readonly live: number } | undefined
): Reading =>
  worst === undefined
    ? { value: 0, ...say("few_dead_rows", { rows: fewDead }) }
    : {
        value: (100 * worst.dead) / Math.max(1, worst.dead + worst.live),
        ...say("dead_rows", worst),
        measurements: { dead_rows: worst.dead, live_rows: worst.live }
      }

/** Standby or slot of a primary; or the delay of a standby itself. */
export interface Replication {
  readonly name: string
  readonly lag: number | null
  /** Whether it is connected. */
  readonly active: boolean
}

/** Pure. */
export const judgeReplication = (all: ReadonlyArray<Replication>): Reading => {
  const away = all.filter(({ active }) => !active)
  const lag = Math.max(0, ...all.map((one) => one.lag ?? 0))
  return {
    value: lag,
    ...say("replication", { count: all.length, lag_bytes: lag, away: away.map(({ name }) => name) }),
    measurements: { standbys: all.length, not_connected: away.length },
    ...(away.length > 0 ? { status: "warning" } : {})
  }
}

export const postgres = (sql: SqlClient.SqlClient): Source => {
  const away = (error: SqlError.SqlError): Reading => ({
    value: null,
    status: "critical",
    ...say("postgres_failed", { message: innermost(error), state: innermostCode(error) ?? null })
  })
  /** Reading of a question; while Postgres is away, the check `postgres` says so. */
  const asked = <A>(question: Effect.Effect<A, SqlError.SqlError>, judge: (answer: A) => Reading) =>
    Effect.match(question, {
      onFailure: (): Reading => ({ value: null, status: "unknown", ...say("postgres_silent", {}) }),
      onSuccess: judge
    })
  const base = { group, version: "", whenTimedOut: "unknown" } as const

  const answers: BuiltCheck = {
    ...base,
    key: "postgres",
    kind: "postgres",
    unit: "milliseconds",
    thresholds: { direction: "above", warning: 1_000, critical: null },
    whenTimedOut: "critical",
    probe: Effect.suspend(() => {
      const begin = performance.now()
      return Effect.match(sql`select 1`, {
        onFailure: away,
        onSuccess: (): Reading => {
          const took = performance.now() - begin
          return { value: took, ...say("postgres", { milliseconds: took }) }
        }
      })
    })
  }
  const connections: BuiltCheck = {
    ...base,
    key: "postgres connections",
    kind: "connections",
    unit: "percent",
    thresholds: connectionLimits,
    probe: asked(
      sql<Connections>`
        select count(*)::int as used, current_setting('max_connections')::int as most
          from pg_stat_activity where backend_type = 'client backend'`,
      ([row]) => judgeConnections(row!)
    )
  }
  // Transactions of other roles are visible to members of pg_monitor only.
  const transaction: BuiltCheck = {
    ...base,
    key: "postgres oldest transaction",
    kind: "transaction",
    unit: "seconds",
    thresholds: transactionLimits,
    probe: asked(
      sql<{ seconds: number | null }>`
        select extract(epoch from clock_timestamp() - min(xact_start))::float8 as seconds from pg_stat_activity
          where backend_type = 'client backend' and pid <> pg_backend_pid()`,
      ([row]) => judgeTransaction(row!.seconds)
    )
  }
  const deadRows: BuiltCheck = {
    ...base,
    key: "postgres dead rows",
    kind: "dead_rows",
    unit: "percent",
    thresholds: deadLimits,
    probe: asked(
      sql<{ table: string; dead: number; live: number }>`
        select schemaname || '.' || relname as table, n_dead_tup::float8 as dead, n_live_tup::float8 as live
          from pg_stat_user_tables where n_dead_tup > ${fewDead}
          order by n_dead_tup::float8 / (n_dead_tup + n_live_tup) desc limit 1`,
      ([row]) => judgeDeadRows(row)
    )
  }
  // A slot holds back the log also while nobody reads it, so slots count beside the standbys. Each row of
  // pg_stat_replication is a connection; its state and positions are visible to members of pg_monitor only.
  const readReplication = sql<Replication>`
    select coalesce(nullif(application_name, ''), pid::text) as name, true as active,
        case when pg_is_in_recovery() then null
          else pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::float8 end as lag
      from pg_stat_replication where state is distinct from 'backup'
    union all
    select slot_name, active,
        case when pg_is_in_recovery() then null else pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::float8 end
      from pg_replication_slots
    union all
    select 'this standby', exists (select from pg_stat_wal_receiver),
        pg_wal_lsn_diff(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn())::float8
      where pg_is_in_recovery()`
  const replication: BuiltCheck = {
    ...base,
    key: "postgres replication",
    kind: "replication",
    unit: "bytes",
    thresholds: lagLimits,
    probe: asked(readReplication, judgeReplication)
  }
  let hadReplication = false
  return {
    name: "postgres",
    kinds: ["postgres", "connections", "transaction", "dead_rows", "replication"],
    scope: "fleet",
    discover: (known) =>
      Effect.match(readReplication, {
        onFailure: () => undefined,
        onSuccess: ({ length }) => {
          // A standby that is away leaves no row, so the check stays once there was one.
          hadReplication = hadReplication || length > 0 || known.includes(replication.key)
          return [answers, connections, transaction, deadRows, ...(hadReplication ? [replication] : [])]
        }
      })
  }
}
