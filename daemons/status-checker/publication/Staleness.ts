/** Whether the last check of a component is recent enough to rely on. Pure. */
import type { ShownComponent } from "../status/Model.ts"

/** Checks a component may miss before it counts as stale. Unit: checks. */
const missedChecks = 3

/** Age from which a check is stale. Units: milliseconds; `checkInterval` in seconds. */
export const freshFor = (checkInterval: number): number => missedChecks * 1_000 * checkInterval

/** Whether the component is checked, by its container or by probes. */
export const isWatched = ({ component: { container, probes } }: Pick<ShownComponent, "component">): boolean =>
  container !== null || probes.length > 0

/** Whether a checked component has no recent check. Units: milliseconds. */
export const isStale = (
  picture: Pick<ShownComponent, "component" | "checked_at">,
  now: number,
  freshFor: number
): boolean => isWatched(picture) && (picture.checked_at === null || now - Date.parse(picture.checked_at) > freshFor)
