/** Refusals of plans. */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 409: the domain has no provider account to write its zone with. */
export class NotManaged extends HttpApiError.Problem<NotManaged>()(
  "NotManaged",
  declaration("not_managed", 409, "The DNS of this domain is not managed here"),
  codeField("not_managed")
) {}

/** 409: the state of the plan does not allow this. */
export class PlanClosed extends HttpApiError.Problem<PlanClosed>()(
  "PlanClosed",
  declaration("plan_closed", 409, "This plan can no longer be changed"),
  { ...codeField("plan_closed"), state: Schema.String }
) {}

/** 409: the plan changes so much of the zone that it needs `force`; `share` is a fraction of 1. */
export class PlanStopped extends HttpApiError.Problem<PlanStopped>()(
  "PlanStopped",
  declaration("plan_stopped", 409, "This plan changes a large part of the zone"),
  { ...codeField("plan_stopped"), share: Schema.Number }
) {}
