/** Status that the page may claim, given the age of the last checks. Pure. */
import type { ShownComponent, Snapshot } from "../../status/Model.ts"
import type { ShownStatus } from "./Words.ts"

/** Whether the component is checked, by its container or by probes. */
export const isWatched = ({ component: { container, probes } }: ShownComponent): boolean =>
  container !== null || probes.length > 0

/** Whether a checked component has no recent check. */
export const isStale = (picture: ShownComponent, { at, freshFor }: Pick<Snapshot, "at" | "freshFor">): boolean =>
  isWatched(picture) && (picture.checked_at === null || Date.parse(at) - Date.parse(picture.checked_at) > freshFor)

/** Status to show: a checked component without any check is `unknown`, not operational. */
export const shownStatus = (picture: ShownComponent): ShownStatus =>
  picture.status === "operational" && isWatched(picture) && picture.checked_at === null ? "unknown" : picture.status

export interface PageStatus {
  readonly state: ShownStatus
  /** Components without a recent check. */
  readonly stale: number
  /** Whether no checked component has a recent check. */
  readonly blind: boolean
  /** Time of the latest check. */
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
