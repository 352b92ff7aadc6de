import fc from "fast-check"
import { expect, it } from "vitest"
import { statusOfOutcomes } from "#daemons/status-checker/checks/OutcomeStatus.ts"
import type { Outcome } from "#core/probes/ProbeResult.ts"

it.each([
  [[], undefined],
  [["unknown", "unknown"], undefined],
  [["up"], "operational"],
  [["up", "unknown"], "operational"],
  [["degraded", "up"], "degraded_performance"],
  [["degraded", "unknown"], "degraded_performance"],
  [["down"], "major_outage"],
  [["down", "unknown", "down"], "major_outage"],
  [["down", "up"], "partial_outage"],
  [["down", "degraded"], "partial_outage"]
] as ReadonlyArray<readonly [ReadonlyArray<Outcome>, string | undefined]>)("%j is %s", (outcomes, status) => {
  expect(statusOfOutcomes(outcomes)).toBe(status)
})

it("the order does not matter, and unknown outcomes change nothing", () => {
  const outcomes = fc.array(fc.constantFrom<Outcome>("up", "degraded", "down", "unknown"), { maxLength: 6 })
  fc.assert(
    fc.property(outcomes, (given) => {
      expect(statusOfOutcomes(given.toReversed())).toBe(statusOfOutcomes(given))
      expect(statusOfOutcomes([...given, "unknown"])).toBe(statusOfOutcomes(given))
    })
  )
})
