import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { BodyId, Id, inTenant, page, pageOf } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { DestinationType } from "../Destinations.ts"
import { InUse, NumberTaken } from "../Errors.ts"
import { Name, ofTenant, PhoneNumber, strict } from "../Shapes.ts"

export const DidView = Schema.Struct({
  id: Schema.Int,
  tenant_id: Schema.Int,
  /** In E.164 format, with the plus. */
  number: Schema.String,
  name: Schema.String,
  /** Trunk from which calls to the number arrive; null: any. */
  trunk_id: Schema.NullOr(Schema.Int),
  destination_type: DestinationType,
  /** ID in the table of the destination type. */
  destination_id: Schema.Int,
  created_at: Schema.String,
  updated_at: Schema.String
}).annotate({ identifier: "SipDid" })

const params = { id: Id }
const manage = "sip.manage"
const trunk = { trunk_id: Schema.optionalKey(Schema.NullOr(BodyId)) }

export const dids = HttpApiGroup.make("dids")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...page(), ...inTenant, number: Schema.optionalKey(PhoneNumber), trunk_id: Schema.optionalKey(Id) },
      success: pageOf(DidView)
    })
      .annotate(Requires, "sip.read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Numbers of ours, newest first",
          description: "`number`, in any spelling, and `trunk_id` narrow it down."
        })
      ),
    HttpApiEndpoint.post("create", "/", {
      headers: Idempotency.headers,
      payload: Schema.Struct({
        number: PhoneNumber,
        name: Name,
        ...trunk,
        destination_type: DestinationType,
        destination_id: BodyId,
        ...ofTenant
      }),
      success: DidView.pipe(HttpApiSchema.status(201)),
      error: NumberTaken
    })
      .annotate(Requires, manage)
      .annotate(HttpApi.PayloadParseOptions, strict)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Lead a number of ours somewhere",
          description:
            "The number may be written in any way; one without a country is of `SIGNALBOX_SIP_COUNTRY`. 409 `number_taken`: it is led somewhere " +
            "already, by whichever tenant. 422 when the tenant has no such trunk or destination."
        })
      ),
    HttpApiEndpoint.get("show", "/:id", { params, success: DidView, error: NotFound })
      .annotate(Requires, "sip.read")
      .annotateMerge(OpenApi.annotations({ summary: "One number of ours" })),
    HttpApiEndpoint.put("update", "/:id", {
      params,
      payload: Schema.Struct({
        number: Schema.optionalKey(PhoneNumber),
        name: Schema.optionalKey(Name),
        ...trunk,
        destination_type: Schema.optionalKey(DestinationType),
        destination_id: Schema.optionalKey(BodyId)
      }),
      success: DidView,
      error: [NotFound, NumberTaken]
    })
      .annotate(Requires, manage)
      .annotate(HttpApi.PayloadParseOptions, strict)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change a number of ours, or where it is led",
          description: "At least one field; what is not named stays."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:id", { params, success: HttpApiSchema.NoContent, error: [NotFound, InUse] })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({ summary: "Give a number up", description: "409 `in_use` while a line shows it." })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/sip/dids")
