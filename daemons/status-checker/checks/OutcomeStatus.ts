/** What one round of prober says of a component. Pure. */
import type { ComponentStatus } from "../status/Vocabulary.ts"
import type { Outcome } from "../status/Probe.ts"

/**
 * All that could be asked are down: major_outage; some are: partial_outage; else any degraded: degraded_performance;
 * else operational. Undefined: nothing could be asked, so nothing was measured.
 */
export const statusOfOutcomes = (outcomes: ReadonlyArray<Outcome>): ComponentStatus | undefined => {
  const known = outcomes.filter((outcome) => outcome !== "unknown")
  if (known.length === 0) return undefined
  const down = known.filter((outcome) => outcome === "down").length
  if (down === known.length) return "major_outage"
  if (down > 0) return "partial_outage"
  return known.includes("degraded") ? "degraded_performance" : "operational"
}
