/** Compares the Postgres connections of a deployment with the server's limit. Pure arithmetic. */
import * as Jobs from "../jobs/Jobs.ts"
import * as Sql from "./Sql.ts"

/** Maximum connections of one process, by use. */
export const perProcess = {
  /** The job engine's own pool. */
  jobs: Jobs.poolSize,
  /** Statements of daemons. */
  sql: Sql.poolSize,
  /** Connections of the cluster's runner, from the same pool. */
  cluster: Sql.clusterConnections,
  /** The listening connection. */
  listener: 1
} as const

/** Session of comm-dispatcher's call lock, held by one daemon of the fleet while it works. */
export const dedicated = 1

/** Reserve for operators' commands, migrations and psql. */
export const operators = 5

const sum = Object.values(perProcess).reduce((all, count) => all + count, 0)

/** Connections of this many processes, including the operators' reserve. */
export const needed = (processes: number): number => processes * sum + dedicated + operators

export interface Server {
  readonly max_connections: number
  /** Connections that ordinary roles cannot use: superuser_reserved_connections and reserved_connections. */
  readonly reserved: number
}

export interface Judgement {
  readonly available: number
  /** Everything in one process (`up`). */
  readonly together: number
  /** One process per daemon (systemd's instances). */
  readonly split: number
  /** `tight`: enough for one process, but not for one process per daemon. */
  readonly verdict: "enough" | "tight" | "short"
}

/** Compares a server's limit with the needs of this many daemons. */
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
