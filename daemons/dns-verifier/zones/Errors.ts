/** Refusals of plans. */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 409: the domain has no provider account that its zone could be written with. */
export class NotManaged extends HttpApiError.Problem<NotManaged>()(
  "NotManaged",
  declaration("not_managed", 409, "This domain's DNS is not managed here"),
  codeField("not_managed")
) {}

/** 409: the plan is no longer, or not yet, in a state in which this can be done. */
export class PlanClosed extends HttpApiError.Problem<PlanClosed>()(
  "PlanClosed",
  declaration("plan_closed", 409, "This plan cannot be changed any more"),
  { ...codeField("plan_closed"), state: Schema.String }
) {}

/** 409: the plan changes so much of the zone that it waits for somebody who says `force`; `share` of 1. */
export class PlanStopped extends HttpApiError.Problem<PlanStopped>()(
  "PlanStopped",
  declaration("plan_stopped", 409, "This plan changes much of the zone"),
  { ...codeField("plan_stopped"), share: Schema.Number }
) {}
