/**
 * Intervals between checks of a domain, from its TTL within bounds. Pure. Unit of all values: minutes. Source of the
 * bounds: interface document 2 §8.
 */
import type { Observation } from "../observe/Observation.ts"

/** Interval classes of the sweep (sweep/Schedule). Few, so that a shard reads its due domains in a few index ranges. */
export const classes = [5, 10, 20, 40, 80, 160, 320, 640, 1280, 1440] as const

/** For domains that are not verified, or that were found elsewhere. */
export const often: number = classes[0]

/**
 * For a verified domain whose servers do not answer. Reason: a provider's outage affects thousands of domains at once.
 */
export const inDoubt = 20

/**
 * For a verified domain: its lowest TTL, rounded down to a class. A resolver's TTL counts down, so without an
 * authoritative TTL the interval may only grow.
 */
export const byTtl = (observation: Observation, current: number): number => {
  const own = least(observation, "authorities")
  if (own !== undefined) return classOf(own)
  const seen = least(observation, "resolvers")
  return seen === undefined ? current : Math.max(current, classOf(seen))
}

const classOf = (ttl: number): number => classes.findLast((minutes) => minutes * 60 <= ttl) ?? often

const least = (observation: Observation, whose: "authorities" | "resolvers"): number | undefined => {
  let found: number | undefined
  for (const asked of observation.asked)
    for (const { said } of asked[whose])
      if (said.ttl !== null && (found === undefined || said.ttl < found)) found = said.ttl
  return found
}
