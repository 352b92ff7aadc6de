/**
 * Lets a projection answer while Postgres is away. The first request after the loss waits for a comparison to fail.
 * Later requests use the last known state at once, because the switch blocks while it waits.
 */
import type { Projection } from "#core/lane/Projection.ts"

export type Known = "fresh" | "stale"

export interface LastKnown {
  /** State, if it is known without waiting. */
  readonly now: () => Known | undefined
  /** State after a comparison with Postgres. */
  readonly soon: () => Promise<Known>
  /** Whether the last comparison failed. */
  readonly isAway: () => boolean
}

export const make = (projection: Projection): LastKnown => {
  let away = false
  const soon = async (): Promise<Known> => {
    away = !(await projection.ensurePromise())
    return away ? "stale" : "fresh"
  }
  return {
    now: () => {
      if (projection.fresh()) {
        away = false
        return "fresh"
      }
      // `fresh()` also started a comparison, which ends this state when Postgres is back.
      return away ? "stale" : undefined
    },
    soon,
    isAway: () => away
  }
}
