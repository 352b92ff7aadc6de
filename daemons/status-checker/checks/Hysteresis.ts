/**
 * What is shown of a component after one more check: it changes only when several checks in a row agree, so that one
 * lost packet is no outage and one lucky answer no recovery. Pure.
 *
 * Checks agree on a direction, and what they agree on is the least change that all of them bear out: after
 * `major_outage` and `partial_outage` at two checks a component that was operational is shown as `partial_outage`.
 */
import { type ComponentStatus, worse } from "../status/Vocabulary.ts"

export interface Limits {
  /** Checks in a row that must find it worse before it is shown as such. At least 1. */
  readonly failuresBeforeDown: number
  /** Checks in a row that must find it better before it is shown as such. At least 1. */
  readonly successesBeforeUp: number
}

export interface Held {
  /** What is shown. */
  readonly status: ComponentStatus
  /** What the last checks agreed on instead; null when the last one found what is shown. */
  readonly seen: ComponentStatus | null
  /** How many in a row. */
  readonly streak: number
}

/**
 * `before` undefined: the first check ever, which is believed. Maintenance is announced by people and not found out: it
 * counts at once, and of what was found before and during it nothing counts afterwards.
 */
export const next = (before: Held | undefined, found: ComponentStatus, limits: Limits): Held => {
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

const settled = (status: ComponentStatus): Held => ({ status, seen: null, streak: 0 })

const milder = (a: ComponentStatus, b: ComponentStatus): ComponentStatus => (worse(a, b) === a ? b : a)
