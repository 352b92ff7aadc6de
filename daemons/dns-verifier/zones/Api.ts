import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import { boundedList } from "#core/http/BoundedList.ts"
import * as Api from "#core/http/Api.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { Id } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { PlanUnderWay } from "../domain-store/Errors.ts"
import { Warning } from "../record-sets/PlanWarning.ts"
import { listOf, skipping } from "../domain-store/FieldSchemas.ts"
import { DomainPending } from "#core/ownership/Errors.ts"
import { NotManaged, PlanClosed, PlanStopped } from "./Errors.ts"
import { ProviderFailed } from "../providers/Exports.ts"

export const PlanState = Schema.Literals(["planned", "stopped", "applying", "applied", "failed", "stale", "discarded"])
export const StepState = Schema.Literals(["pending", "attempting", "done", "failed", "uncertain", "skipped"])

const contents = Schema.NullOr(Schema.Array(Schema.String))

/** Creation, replacement or removal of one record set. */
export const PlanStep = Schema.Struct({
  position: Schema.Int,
  change: Schema.Literals(["create", "replace", "remove"]),
  type: Schema.String,
  /** Relative to the domain; `@`: the domain itself. */
  name: Schema.String,
  /** Unit: seconds; null: the zone's default. */
  ttl: Schema.NullOr(Schema.Int),
  /** Null: no such set. */
  before: contents,
  after: contents,
  reason: Schema.String,
  state: StepState,
  problem: Schema.NullOr(Schema.String),
  ended_at: Schema.NullOr(Schema.String)
}).annotate({ identifier: "DnsPlanStep" })

const summary = {
  id: Schema.String,
  domain_id: Schema.Int,
  /** Why the plan was made. */
  reason: Schema.String,
  /** Author of the plan: `user:12`, `service:3`, `system`. */
  actor: Schema.String,
  state: PlanState,
  /** Number of record sets in the zone when the plan was made. */
  zone_sets: Schema.Int,
  /** Share of the zone's record sets that the plan changes. Unit: fraction of 1. */
  share: Schema.Number,
  /** Warnings to read before applying. A `foreign` warning prevents automatic applying. */
  warnings: Schema.Array(Warning),
  /** Why the plan did not complete. */
  problem: Schema.NullOr(Schema.String),
  created_at: Schema.String,
  /** When an open plan applies itself; null: only on request. */
  apply_after: Schema.NullOr(Schema.String),
  begun_at: Schema.NullOr(Schema.String),
  ended_at: Schema.NullOr(Schema.String)
}

export const PlanSummary = Schema.Struct({ ...summary, steps_total: Schema.Int, steps_done: Schema.Int }).annotate({
  identifier: "DnsPlanSummary"
})
export const PlanView = Schema.Struct({ ...summary, steps: Schema.Array(PlanStep) }).annotate({ identifier: "DnsPlan" })

/** Maximum number of removals in one plan. Unit: records. Reason: far more than anyone selects by hand. */
const maxRemoved = 100

const params = { id: Id }
const one = { id: Id, plan_id: Schema.String.check(Schema.isPattern(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)) }
const manage = "dns.manage"

/** Plans of changes to a zone. */
export const plans = HttpApiGroup.make("plans")
  .add(
    HttpApiEndpoint.post("create", "/plan", {
      params,
      headers: Idempotency.headers,
      payload: Schema.Struct({
        remove: Schema.optionalKey(
          boundedList(Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(64)), {
            minimum: 0,
            maximum: maxRemoved
          })
        )
      }),
      success: PlanView.pipe(HttpApiSchema.status(201)),
      error: [NotFound, DomainPending, NotManaged, PlanUnderWay, ProviderFailed]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Plan the changes of a zone",
          description:
            "Reads the zone at the provider, compares it with the required records, and writes nothing. `remove`: " +
            "ids of records to delete. A plan merges an SPF record; it names a conflict with records of third " +
            "parties in a warning. A plan that changes over 30 % of a zone of ten record sets or more is `stopped` " +
            "until it is applied with `force`."
        })
      ),
    HttpApiEndpoint.get("list", "/plans", { params, query: skipping, success: listOf(PlanSummary), error: NotFound })
      .annotate(Requires, "dns.read")
      .annotateMerge(OpenApi.annotations({ summary: "Plans of a domain, newest first" })),
    HttpApiEndpoint.get("show", "/plans/:plan_id", { params: one, success: PlanView, error: NotFound })
      .annotate(Requires, "dns.read")
      .annotateMerge(OpenApi.annotations({ summary: "One plan with its steps" })),
    HttpApiEndpoint.post("apply", "/plans/:plan_id/apply", {
      params: one,
      payload: Schema.Struct({ force: Schema.optionalKey(Schema.Boolean) }),
      success: PlanView.pipe(HttpApiSchema.status(202)),
      error: [NotFound, NotManaged, PlanClosed, PlanStopped, PlanUnderWay]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Apply a plan",
          description:
            "Applies the plan in the background; read the plan to see its progress. If the zone has changed since " +
            "the plan was made, the plan becomes `stale` and nothing is written."
        })
      ),
    HttpApiEndpoint.post("discard", "/plans/:plan_id/discard", {
      params: one,
      success: PlanView,
      error: [NotFound, PlanClosed]
    })
      .annotate(Requires, manage)
      .annotateMerge(OpenApi.annotations({ summary: "Discard a plan" }))
  )
  .middleware(Authentication)
  .prefix("/api/v1/domains/:id")

export const ZonesApi = Api.make("zones").add(plans)
