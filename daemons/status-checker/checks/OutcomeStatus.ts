/** Status of a component from the outcomes of its probes. Pure. */
import type { ComponentStatus } from "../status/Vocabulary.ts"
import type { Outcome } from "#core/probes/ProbeResult.ts"

/**
 * `major_outage` when all known outcomes are down, `partial_outage` when some are, else `degraded_performance` when any
 * is degraded, else `operational`. Undefined when all outcomes are unknown: nothing was measured.
 */
export const statusOfOutcomes = (outcomes: ReadonlyArray<Outcome>): ComponentStatus | undefined => {
  const known = outcomes.filter((outcome) => outcome !== "unknown")
  if (known.length === 0) return undefined
  const down = known.filter((outcome) => outcome === "down").length
  if (down === known.length) return "major_outage"
  if (down > 0) return "partial_outage"
  return known.includes("degraded") ? "degraded_performance" : "operational"
}
