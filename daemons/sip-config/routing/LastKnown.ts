/**
 * A picture that goes on answering while Postgres is away. The first question after the loss waits for a comparison to
 * fail; those after it are answered at once from what was known, since a switch stands still while it waits.
 */
import type { Projection } from "#core/lane/Projection.ts"

export type Known = "fresh" | "stale"

export interface LastKnown {
  /** How it stands, if that can be said at once. */
  readonly now: () => Known | undefined
  /** The same after comparing it. */
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
      // That asked for a comparison, too, which ends this as soon as Postgres is back.
      return away ? "stale" : undefined
    },
    soon,
    isAway: () => away
  }
}
