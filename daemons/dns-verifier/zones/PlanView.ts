/** A step of a plan in the answers. */
import { iso } from "../domain-store/Requests.ts"
import type { PlanStep } from "./Api.ts"
import { changeOf, type StepRow } from "./PlanStore.ts"

export const stepView = (step: StepRow): typeof PlanStep.Type => {
  const { after, before, ended_at, name, position, problem, reason, state, ttl, type } = step
  return {
    position,
    change: changeOf(step),
    type,
    name,
    ttl,
    before,
    after,
    reason,
    state,
    problem,
    ended_at: iso(ended_at)
  }
}
