/** What may be said of how things are, given when they were last looked at. Pure. */
import type { ShownComponent, Snapshot } from "../../status/Model.ts"
import type { ShownStatus } from "./Words.ts"

/** Somebody asks it: its container, or a probe. */
export const isWatched = ({ component: { container, probes } }: ShownComponent): boolean =>
  container !== null || probes.length > 0

/** It is asked, and yet was not within the time in which that counts. */
export const isStale = (picture: ShownComponent, { at, freshFor }: Pick<Snapshot, "at" | "freshFor">): boolean =>
  isWatched(picture) && (picture.checked_at === null || Date.parse(at) - Date.parse(picture.checked_at) > freshFor)

/** Nobody says that something works which was never looked at. */
export const shownStatus = (picture: ShownComponent): ShownStatus =>
  picture.status === "operational" && isWatched(picture) && picture.checked_at === null ? "unknown" : picture.status

export interface PageStatus {
  readonly state: ShownStatus
  /** Components that were not looked at lately. */
  readonly stale: number
  /** None of those that are watched was. */
  readonly blind: boolean
  /** When the last look was. */
  readonly checkedAt: string | null
}

export const pageStatus = (snapshot: Snapshot): PageStatus => {
  const watched = snapshot.components.filter(isWatched)
  const stale = watched.filter((picture) => isStale(picture, snapshot)).length
  const blind = watched.length > 0 && stale === watched.length
  const looks = watched.flatMap(({ checked_at }) => (checked_at === null ? [] : [Date.parse(checked_at)]))
  return {
    state:
      snapshot.status === "operational" && (blind || snapshot.components.length === 0) ? "unknown" : snapshot.status,
    stale,
    blind,
    checkedAt: looks.length === 0 ? null : new Date(Math.max(...looks)).toISOString()
  }
}
