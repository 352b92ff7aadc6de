/**
 * How often a domain is looked at. Pure. Unit throughout: minutes. Source of the bounds: interface document 2 §8, and
 * the TTL between them.
 */
import type { Observation } from "../observe/Observation.ts"

/**
 * Each a class of the sweep (sweep/Schedule): few, so that a shard reads its due domains in a few ranges of an index.
 */
export const classes = [5, 10, 20, 40, 80, 160, 320, 640, 1280, 1440] as const

/** For what is not verified, or in doubt. */
export const often: number = classes[0]

/** For a verified domain whose servers cannot be heard. Reason: an outage of a provider concerns thousands at once. */
export const inDoubt = 20

/**
 * For a verified domain, by its least TTL rounded down to a class. A resolver's TTL counts down: where no server of the
 * domain said one, it may lengthen `current` and not shorten it.
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
