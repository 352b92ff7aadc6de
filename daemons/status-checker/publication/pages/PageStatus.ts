/** Ages of the last checks, for the page. Pure. */
import type { ShownComponent, Snapshot } from "../../status/Model.ts"
import * as Staleness from "../Staleness.ts"

/** Whether a checked component has no recent check. */
export const isStale = (picture: ShownComponent, { at, freshFor }: Pick<Snapshot, "at" | "freshFor">): boolean =>
  Staleness.isStale(picture, Date.parse(at), freshFor)

/** Whether the component waits for its first check. */
export const isFirst = ({ checked_at, status, ...picture }: ShownComponent): boolean =>
  status === "unknown" && checked_at === null && Staleness.isWatched(picture)

/**
 * Why the overall status is unknown. `checking`: all components without a status wait for their first check.
 * `partly`: the components with a status are operational. Undefined: nothing more is known.
 */
export const unknownReason = ({ components, status }: Snapshot): "checking" | "partly" | undefined => {
  const unknown = components.filter((one) => one.status === "unknown")
  if (status !== "unknown" || unknown.length === 0) return undefined
  if (unknown.every(isFirst)) return "checking"
  return unknown.length < components.length ? "partly" : undefined
}

export interface CheckAges {
  /** Components without a recent check. */
  readonly stale: number
  /** Whether no checked component has a recent check. */
  readonly blind: boolean
  /** Time of the latest check. */
  readonly checkedAt: string | null
}

export const checkAges = (snapshot: Snapshot): CheckAges => {
  const watched = snapshot.components.filter(Staleness.isWatched)
  const stale = watched.filter((picture) => isStale(picture, snapshot)).length
  const looks = watched.flatMap(({ checked_at }) => (checked_at === null ? [] : [Date.parse(checked_at)]))
  return {
    stale,
    blind: watched.length > 0 && stale === watched.length,
    checkedAt: looks.length === 0 ? null : new Date(Math.max(...looks)).toISOString()
  }
}
