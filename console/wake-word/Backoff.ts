/** Delays between reconnects. Pure. */

export interface ReconnectPlan {
  /** Reconnects before the client stops. Source: interface document 3 §2.3. */
  readonly attempts: number
  /** Delay before the first reconnect; each further one doubles it. Unit: milliseconds. */
  readonly base: number
  /** A connection that stayed open this long starts a new count. Unit: milliseconds. */
  readonly stable: number
}

export const defaultPlan: ReconnectPlan = { attempts: 5, base: 1_000, stable: 10_000 }

/** Largest part of a delay that is added at random. Reason: clients of one server do not return at the same moment. */
const jitter = 0.25

/**
 * Delay before reconnect `attempt` (1 is the first), or undefined when the plan has no further attempt. `random`: 0 to
 * 1. Unit: milliseconds. Each delay is longer than the one before, whatever the random parts are.
 */
export const delayBefore = (
  attempt: number,
  { attempts, base }: Pick<ReconnectPlan, "attempts" | "base">,
  random: number
): number | undefined =>
  attempt > attempts ? undefined : Math.round(base * 2 ** (attempt - 1) * (1 + jitter * random))

/** Number of the next reconnect after a connection that was open for `open` milliseconds; `failed`: those before it. */
export const nextAttempt = (failed: number, open: number, { stable }: Pick<ReconnectPlan, "stable">): number =>
  open >= stable ? 1 : failed + 1
