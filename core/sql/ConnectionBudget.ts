/** Connections of a process to Postgres, and of a deployment compared with the server's limit. Pure arithmetic. */

/** Maximum connections of one process, by use. */
export const perProcess = {
  /** The job engine's own pool. */
  jobs: 2,
  /** Statements of daemons. */
  sql: 3,
  /** The cluster's runner, for its advisory locks; from the same pool as statements. */
  cluster: 1,
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

export interface Judgement {
  readonly available: number
  /** Connections of the mail server, which both needs include. */
  readonly mail: number
  /** Everything in one process (`up`). */
  readonly together: number
  /** One process per daemon (systemd's instances). */
  readonly split: number
  /** `tight`: enough for one process without the mail server, but not for one process per daemon with it. */
  readonly verdict: "enough" | "tight" | "short"
}

/** Compares the available connections with the needs of this many daemons, and of the mail server. */
export const judge = (available: number, daemons: number, mail: number): Judgement => {
  const together = needed(1) + mail
  const split = needed(Math.max(1, daemons)) + mail
  return {
    available,
    mail,
    together,
    split,
    verdict: available >= split ? "enough" : available >= needed(1) ? "tight" : "short"
  }
}
