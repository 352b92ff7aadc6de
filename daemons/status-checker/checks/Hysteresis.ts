/**
 * Shown status of a component after one more check. It changes only after several agreeing checks, so one lost packet
 * is no outage and one lucky answer no recovery. Pure.
 *
 * Checks agree when they change in the same direction; the result is the smallest change that all of them support. An
 * operational component with checks `major_outage` and `partial_outage` is shown as `partial_outage`.
 */
import { type ComponentStatus, worse } from "../status/Vocabulary.ts"

export interface Limits {
  /** Consecutive worse checks before the status gets worse. At least 1. */
  readonly failuresBeforeDown: number
  /** Consecutive better checks before the status gets better. At least 1. */
  readonly successesBeforeUp: number
}

export interface HysteresisState {
  /** Shown status. */
  readonly status: ComponentStatus
  /** Different status on which the last checks agree; null when the last check confirmed the shown one. */
  readonly seen: ComponentStatus | null
  /** Number of these checks. */
  readonly streak: number
}

/**
 * State after a check found `found`. The first check (`before` undefined) is believed at once. Maintenance is
 * announced, not measured: it applies at once, and earlier checks do not count after it.
 */
export const next = (before: HysteresisState | undefined, found: ComponentStatus, limits: Limits): HysteresisState => {
  if (before === undefined || found === "under_maintenance" || before.status === "under_maintenance")
    return settled(found)
  if (found === before.status) return settled(found)
  const isWorse = worse(found, before.status) === found
  const goesOn = before.seen !== null && (worse(before.seen, before.status) === before.seen) === isWorse
  const seen = !goesOn ? found : isWorse ? milder(before.seen, found) : worse(before.seen, found)
  const streak = goesOn ? before.streak + 1 : 1
  const isEnough = streak >= (isWorse ? limits.failuresBeforeDown : limits.successesBeforeUp)
  return isEnough ? settled(seen) : { status: before.status, seen, streak }
}

const settled = (status: ComponentStatus): HysteresisState => ({ status, seen: null, streak: 0 })

const milder = (a: ComponentStatus, b: ComponentStatus): ComponentStatus => (worse(a, b) === a ? b : a)
