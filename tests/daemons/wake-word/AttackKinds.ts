/** Kinds of clients of `Attackers.ts`, and the messages of its process. */

export const kinds = ["silent", "slow handshake", "no ticket", "used ticket", "idle", "deaf", "slow", "flood"] as const
export type Kind = (typeof kinds)[number]

/** Kinds that need a ticket of their own. */
export const ticketed: ReadonlySet<Kind> = new Set(["idle", "deaf", "slow", "flood"])

export interface Attack {
  readonly port: number
  readonly clients: ReadonlyArray<{ readonly kind: Kind; readonly path: string; readonly address: string }>
}

/**
 * Number of clients by outcome: `open`, `dropped`, `unanswered`, the status of a refused handshake, or `closed` with a
 * close code.
 */
export type Outcomes = Readonly<Record<string, number>>
