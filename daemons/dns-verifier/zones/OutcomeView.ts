/** What became of a change of the records at the provider, in the answers of the record endpoints. */
import { Schema } from "effect"
import { Warning } from "../record-sets/PlanWarning.ts"
import { iso } from "../domain-store/Requests.ts"
import { PlanStep } from "./Api.ts"
import { type Outcome, outcomeReasons, outcomeStates } from "./Outcome.ts"
import { stepView } from "./PlanView.ts"

export const OutcomeView = Schema.Struct({
  /**
   * `none`: records are written by hand; `queued`: not planned yet; `planned`: applies itself at `at`; `applying`;
   * `applied`: written; `unchanged`: the zone has the records already; `not_applied`: nothing is written until a person
   * acts; `failed`: the plan did not complete.
   */
  state: Schema.Literals(outcomeStates),
  reason: Schema.NullOr(Schema.Literals(outcomeReasons)),
  /** English text, such as the provider's error. */
  detail: Schema.NullOr(Schema.String),
  /** When a planned change is applied, or a queued one is tried again. */
  at: Schema.NullOr(Schema.String),
  plan_id: Schema.NullOr(Schema.String),
  /** Record sets that the plan writes. */
  steps: Schema.Array(PlanStep),
  /** Records of third parties that the plan would change. */
  foreign: Schema.Array(Warning)
}).annotate({ identifier: "DnsChangeOutcome" })

export const outcomeView = ({ at, detail, plan, reason, state }: Outcome): typeof OutcomeView.Type => ({
  state,
  reason,
  detail,
  at: iso(at),
  plan_id: plan?.id ?? null,
  steps: (plan?.steps ?? []).map(stepView),
  foreign: (plan?.warnings ?? []).filter(({ foreign }) => foreign)
})
