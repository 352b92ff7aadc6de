/** Ages of the last checks, for the page. Pure. */
import type { ShownComponent, Snapshot } from "../../status/Model.ts"
import * as Staleness from "../Staleness.ts"

/** Whether a checked component has no recent check. */
export const isStale = (picture: ShownComponent, { at, freshFor }: Pick<Snapshot, "at" | "freshFor">): boolean =>
  Staleness.isStale(picture, Date.parse(at), freshFor)

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
