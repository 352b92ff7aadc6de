import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { BodyId, Id, inTenant, page, pageOf } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { DestinationType } from "../Destinations.ts"
import { InUse, NumberTaken } from "../Errors.ts"
import { Name, ofTenant, PhoneNumber } from "../Shapes.ts"

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
  /** `pending`: no calls reach the number before the provider has assigned it to the tenant. */
  state: Schema.Literals(["pending", "assigned"]),
  created_at: Schema.String,
  updated_at: Schema.String
}).annotate({ identifier: "SipDid" })

const params = { id: Id }
const manage = "sip.manage"
const trunk = { trunk_id: Schema.optionalKey(Schema.NullOr(BodyId)) }

export const NewDid = Schema.Struct({
  number: PhoneNumber,
  name: Name,
  ...trunk,
  destination_type: DestinationType,
  destination_id: BodyId,
  ...ofTenant
})

export const DidChange = Schema.Struct({
  number: Schema.optionalKey(PhoneNumber),
  name: Schema.optionalKey(Name),
  ...trunk,
  destination_type: Schema.optionalKey(DestinationType),
  destination_id: Schema.optionalKey(BodyId)
})

export const dids = HttpApiGroup.make("dids")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...page(), ...inTenant, number: Schema.optionalKey(PhoneNumber), trunk_id: Schema.optionalKey(Id) },
      success: pageOf(DidView)
    })
      .annotate(Requires, "sip.read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "DIDs, newest first",
          description: "Filters: `number` in any spelling, `trunk_id`."
        })
      ),
    HttpApiEndpoint.post("create", "/", {
      headers: Idempotency.headers,
      payload: NewDid,
      success: DidView.pipe(HttpApiSchema.status(201)),
      error: NumberTaken
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create a DID: route a number to a destination",
          description:
            "The number may have any spelling; a number without a country code belongs to `SIGNALBOX_SIP_COUNTRY`. " +
            "The number is `pending` until the provider assigns it, unless the provider creates the DID. 409 " +
            "`number_taken`: the tenant has a DID with the number, or another tenant holds it. 422 when the tenant " +
            "has no such trunk or destination."
        })
      ),
    HttpApiEndpoint.get("show", "/:id", { params, success: DidView, error: NotFound })
      .annotate(Requires, "sip.read")
      .annotateMerge(OpenApi.annotations({ summary: "One DID" })),
    HttpApiEndpoint.put("update", "/:id", {
      params,
      payload: DidChange,
      success: DidView,
      error: [NotFound, NumberTaken]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change a DID or its destination",
          description:
            "At least one field is required; omitted fields keep their values. A new number is `pending` until the " +
            "provider assigns it."
        })
      ),
    HttpApiEndpoint.post("assign", "/:id/assign", { params, success: DidView, error: [NotFound, NumberTaken] })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Assign the number to its tenant",
          description:
            "For service tokens and users of the provider's tenant. Calls reach the DID from then on. A repeated " +
            "call changes nothing. 409 `number_taken`: another tenant holds the number."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:id", { params, success: HttpApiSchema.NoContent, error: [NotFound, InUse] })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Delete a DID",
          description: "409 `in_use` while a line uses it as its caller ID."
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/sip/dids")
