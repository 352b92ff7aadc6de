import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { Id, inTenant, page, pageOf } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { domainRefusals, InUse, NumberTaken } from "../Errors.ts"
import { Email, InternalNumber, Name, ofTenant, Pin, SipDomain } from "../Shapes.ts"

export const VoicemailBoxView = Schema.Struct({
  id: Schema.Int,
  tenant_id: Schema.Int,
  /** Number of the box, usually that of the extension whose calls it takes. */
  box: Schema.String,
  name: Schema.String,
  domain: Schema.String,
  /** Mail address to which messages are sent. */
  email: Schema.NullOr(Schema.String),
  enabled: Schema.Boolean,
  created_at: Schema.String,
  updated_at: Schema.String
}).annotate({ identifier: "SipVoicemailBox" })

export const PinView = Schema.Struct({
  id: Schema.Int,
  box: Schema.String,
  domain: Schema.String,
  pin: Schema.String
}).annotate({ identifier: "SipVoicemailPin" })

const params = { id: Id }
const manage = "sip.manage"
const more = {
  domain: Schema.optionalKey(SipDomain),
  pin: Schema.optionalKey(Pin),
  email: Schema.optionalKey(Schema.NullOr(Email)),
  enabled: Schema.optionalKey(Schema.Boolean)
}

export const voicemailBoxes = HttpApiGroup.make("voicemailBoxes")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...page(),
        ...inTenant,
        domain: Schema.optionalKey(SipDomain),
        number: Schema.optionalKey(InternalNumber)
      },
      success: pageOf(VoicemailBoxView)
    })
      .annotate(Requires, "sip.read")
      .annotateMerge(
        OpenApi.annotations({ summary: "Voicemail boxes, newest first", description: "Filters: `domain`, `number`." })
      ),
    HttpApiEndpoint.post("create", "/", {
      headers: Idempotency.headers,
      payload: Schema.Struct({ box: InternalNumber, name: Name, ...more, ...ofTenant }),
      success: VoicemailBoxView.pipe(HttpApiSchema.status(201)),
      error: [...domainRefusals, NumberTaken]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create a voicemail box",
          description:
            "The daemon generates the PIN; only `GET …/pin` shows it. Holders of `sip.credentials.write` and " +
            "service tokens may send a PIN instead. `domain` is optional when the tenant has exactly one. The " +
            "Idempotency-Key check ignores the PIN."
        })
      ),
    HttpApiEndpoint.get("show", "/:id", { params, success: VoicemailBoxView, error: NotFound })
      .annotate(Requires, "sip.read")
      .annotateMerge(OpenApi.annotations({ summary: "One voicemail box" })),
    HttpApiEndpoint.put("update", "/:id", {
      params,
      payload: Schema.Struct({ box: Schema.optionalKey(InternalNumber), name: Schema.optionalKey(Name), ...more }),
      success: VoicemailBoxView,
      error: [NotFound, ...domainRefusals, NumberTaken]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change a voicemail box",
          description: "At least one field is required; omitted fields keep their values."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:id", { params, success: HttpApiSchema.NoContent, error: [NotFound, InUse] })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Delete a voicemail box",
          description: "409 `in_use` while a DID or a menu routes to it."
        })
      ),
    HttpApiEndpoint.post("rotate", "/:id/pin", { params, success: VoicemailBoxView, error: NotFound })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Give a voicemail box a new PIN",
          description: "The daemon generates the PIN; `GET …/pin` shows it."
        })
      ),
    HttpApiEndpoint.get("pin", "/:id/pin", { params, success: PinView, error: NotFound })
      .annotate(Requires, "sip.credentials.read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "PIN of a voicemail box",
          description: "Each request is written to the audit log."
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/sip/voicemail-boxes")
