/**
 * How many Postgres connections a deployment takes, against what the server allows. Pure arithmetic.
 */
import * as Jobs from "../jobs/Jobs.ts"
import * as Sql from "./Sql.ts"

/** What one process takes at most, by what for. Unit: connections. */
export const perProcess = {
  /** The job engine's own pool. */
  jobs: Jobs.poolSize,
  /** Statements of daemons. */
  sql: Sql.poolSize,
  /** The cluster's runner, out of the same pool. */
  cluster: Sql.clusterConnections,
  /** The listening connection. */
  listener: 1
} as const

/** Held by one daemon of the fleet while it works: the session of comm-dispatcher's call lock. Unit: connections. */
export const dedicated = 1

/** Kept free for operators' commands, migrations and psql. Unit: connections. */
export const operators = 5

const sum = Object.values(perProcess).reduce((all, count) => all + count, 0)

/** Connections of so many processes, with room for operators. */
export const needed = (processes: number): number => processes * sum + dedicated + operators

export interface Server {
  readonly max_connections: number
  /** What ordinary roles cannot have: superuser_reserved_connections and reserved_connections. */
  readonly reserved: number
}

export interface Judgement {
  readonly available: number
  /** Everything in one process (`up`). */
  readonly together: number
  /** One process a daemon (systemd's instances). */
  readonly split: number
  /** `tight`: enough for one process, not for one process a daemon. */
  readonly verdict: "enough" | "tight" | "short"
}

/** Judges a server for so many daemons. */
export const judge = (server: Server, daemons: number): Judgement => {
  const available = server.max_connections - server.reserved
  const together = needed(1)
  const split = needed(Math.max(1, daemons))
  return {
    available,
    together,
    split,
    verdict: available >= split ? "enough" : available >= together ? "tight" : "short"
  }
}
