import { expect, it } from "@effect/vitest"
import { Duration } from "effect"
import fc from "fast-check"
import { decide, defaultIntensity, type Ending, type RestartPolicy } from "#core/supervision/RestartDecision.ts"

const intensity = { restarts: 2, window: Duration.seconds(10) }

it.each<readonly [RestartPolicy, ReadonlyArray<number>, Ending, string]>([
  ["permanent", [], "finished", "Restart"],
  ["permanent", [], "failed", "Restart"],
  ["permanent", [], "defect", "Restart"],
  ["permanent", [99_000, 99_500], "defect", "Escalate"],
  ["permanent", [99_000, 99_500], "finished", "Escalate"],
  ["permanent", [99_000, 99_500], "failed", "Restart"],
  ["permanent", [90_000, 99_500], "defect", "Restart"],
  ["permanent", [90_001, 99_500], "defect", "Escalate"],
  ["transient", [99_000, 99_500], "finished", "Stop"],
  ["transient", [], "failed", "Restart"],
  ["transient", [99_000, 99_500], "defect", "Escalate"],
  ["temporary", [], "finished", "Stop"],
  ["temporary", [], "failed", "Stop"],
  ["temporary", [99_000, 99_500], "defect", "Stop"]
])("%s with defects at %j that ends as %s: %s", (policy, defects, ending, expected) => {
  expect(decide(policy, intensity, defects, ending, 100_000)._tag).toBe(expected)
})

const policies = fc.constantFrom<RestartPolicy>("permanent", "transient", "temporary")
/** Endings, each with the milliseconds before it. */
const history = fc.array(
  fc.tuple(fc.constantFrom<Ending>("finished", "failed", "defect"), fc.integer({ min: 0, max: 40_000 })),
  { maxLength: 60 }
)

it("escalates exactly when the window has more defects than allowed; failures do not count", () => {
  fc.assert(
    fc.property(history, (endings) => {
      let defects: ReadonlyArray<number> = []
      let now = 0
      const all: Array<number> = []
      for (const [ending, after] of endings) {
        now += after
        if (ending !== "failed") all.push(now)
        const within = all.filter((at) => now - at < Duration.toMillis(defaultIntensity.window)).length
        const decision = decide("permanent", defaultIntensity, defects, ending, now)
        expect(decision._tag).toBe(ending !== "failed" && within > defaultIntensity.restarts ? "Escalate" : "Restart")
        if (decision._tag !== "Restart") return
        defects = decision.defects
        expect(defects.length).toBeLessThanOrEqual(defaultIntensity.restarts)
      }
    })
  )
})

it("only a permanent actor restarts after a regular end, and a temporary one never restarts", () => {
  fc.assert(
    fc.property(policies, fc.constantFrom<Ending>("finished", "failed", "defect"), (policy, ending) => {
      const { _tag } = decide(policy, intensity, [], ending, 0)
      expect(_tag === "Stop").toBe(policy === "temporary" || (policy === "transient" && ending === "finished"))
    })
  )
})
