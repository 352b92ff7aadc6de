/** How long a component took to answer, summed over quarters of an hour. Pure. */
import { responseStep } from "../status/Model.ts"
import type { ProbeResult } from "#core/probes/ProbeResult.ts"

/** Result of a probe with its duration. */
export interface TimedResult extends ProbeResult {
  /** Unit: milliseconds. */
  readonly took: number
}

/** Sum of the checks of one component in one quarter. */
export interface TimeCredit {
  readonly componentId: string
  /** Begin of the quarter. Unit: milliseconds since 1970. */
  readonly slot: number
  readonly checks: number
  readonly total: number
  readonly most: number
}

/**
 * The time of the slowest probe that got an answer, in whole milliseconds. Undefined when none did: the time of a
 * refusal or a timeout is none of the component. The state of a container is no answer of the component either.
 */
export const responseTime = (results: ReadonlyArray<TimedResult>): number | undefined => {
  const answered = results.filter(
    ({ kind, outcome }) => kind !== "container" && (outcome === "up" || outcome === "degraded")
  )
  return answered.length === 0 ? undefined : Math.round(Math.max(...answered.map(({ took }) => took)))
}

/** Begin of the quarter of a time. Unit: milliseconds since 1970. */
export const slotOf = (wall: number): number => Math.floor(wall / responseStep) * responseStep

export const plusTime = (
  before: TimeCredit | undefined,
  componentId: string,
  slot: number,
  took: number
): TimeCredit => ({
  componentId,
  slot,
  checks: (before?.checks ?? 0) + 1,
  total: (before?.total ?? 0) + took,
  most: Math.max(before?.most ?? 0, took)
})
