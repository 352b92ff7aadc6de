/** Decides what follows an attempt to send a message by one way. Pure. Times in epoch milliseconds. */

/** Pauses before the next attempts; the last one counts for all later ones. Unit: seconds. */
const pauses = [5, 15, 60, 300] as const

/** Age at which a message is given up. Unit: seconds. Reason: a day; the list of alerts still has it. */
export const givenUpAfter = 86_400

/** How an attempt ended. `perhaps`: the receiver may have accepted the message. */
export type Attempt =
  | { readonly _tag: "Sent" }
  | { readonly _tag: "Failed"; readonly problem: string; readonly perhaps: boolean }

export interface Situation {
  /** Attempts including this one. */
  readonly attempts: number
  /** When the message was created. */
  readonly createdAt: number
  /** Another way or target has accepted the message. */
  readonly sentElsewhere: boolean
  readonly now: number
  /** Length of a second. Unit: milliseconds; other values than 1,000 are for tests. */
  readonly second: number
}

export type Outcome =
  | { readonly state: "sent" }
  | { readonly state: "uncertain" | "failed"; readonly problem: string }
  | { readonly state: "pending"; readonly problem: string; readonly nextAt: number }

/**
 * A message that may have arrived is sent again only when no other way has it: a missing alert is worse than a double
 * one.
 */
export const outcomeOf = (attempt: Attempt, situation: Situation): Outcome => {
  if (attempt._tag === "Sent") return { state: "sent" }
  const { problem } = attempt
  const { attempts, createdAt, now, second, sentElsewhere } = situation
  if (attempt.perhaps && sentElsewhere) return { state: "uncertain", problem }
  if (now - createdAt >= givenUpAfter * second) return { state: "failed", problem }
  return { state: "pending", problem, nextAt: now + pauses[Math.min(attempts, pauses.length) - 1]! * second }
}
