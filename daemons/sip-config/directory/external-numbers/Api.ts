import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { Id, inTenant, page, pageOf } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { InUse, NumberTaken } from "../Errors.ts"
import { Name, ofTenant, PhoneNumber } from "../Shapes.ts"

export const ExternalNumberView = Schema.Struct({
  id: Schema.Int,
  tenant_id: Schema.Int,
  /** In E.164 format, with the plus. */
  number: Schema.String,
  name: Schema.String,
  created_at: Schema.String,
  updated_at: Schema.String
}).annotate({ identifier: "SipExternalNumber" })

const params = { id: Id }
const manage = "sip.manage"

export const externalNumbers = HttpApiGroup.make("externalNumbers")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...page(), ...inTenant, number: Schema.optionalKey(PhoneNumber) },
      success: pageOf(ExternalNumberView)
    })
      .annotate(Requires, "sip.read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "List external numbers, newest first",
          description: "Filter: `number` in any spelling."
        })
      ),
    HttpApiEndpoint.post("create", "/", {
      headers: Idempotency.headers,
      payload: Schema.Struct({ number: PhoneNumber, name: Name, ...ofTenant }),
      success: ExternalNumberView.pipe(HttpApiSchema.status(201)),
      error: NumberTaken
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create an external number",
          description:
            "A public number that calls may be forwarded to. It may have any spelling; a number without a country " +
            "code belongs to `SIGNALBOX_SIP_COUNTRY`."
        })
      ),
    HttpApiEndpoint.get("show", "/:id", { params, success: ExternalNumberView, error: NotFound })
      .annotate(Requires, "sip.read")
      .annotateMerge(OpenApi.annotations({ summary: "One external number" })),
    HttpApiEndpoint.put("update", "/:id", {
      params,
      payload: Schema.Struct({ number: Schema.optionalKey(PhoneNumber), name: Schema.optionalKey(Name) }),
      success: ExternalNumberView,
      error: [NotFound, NumberTaken]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change an external number",
          description: "At least one field is required; omitted fields keep their values."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:id", { params, success: HttpApiSchema.NoContent, error: [NotFound, InUse] })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Delete an external number",
          description: "409 `in_use` while a DID or a menu routes to it."
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/sip/external-numbers")
