import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { Id, inTenant, page, pageOf } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { DomainTaken, InUse, NumberTaken } from "../Errors.ts"
import { Email, InternalNumber, Name, ofTenant, Pin, SipDomain, strict } from "../Shapes.ts"

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
        OpenApi.annotations({
          summary: "Voicemail boxes, newest first",
          description: "`domain` and `number` narrow it down."
        })
      ),
    HttpApiEndpoint.post("create", "/", {
      headers: Idempotency.headers,
      payload: Schema.Struct({ box: InternalNumber, name: Name, ...more, ...ofTenant }),
      success: VoicemailBoxView.pipe(HttpApiSchema.status(201)),
      error: [DomainTaken, NumberTaken]
    })
      .annotate(Requires, manage)
      .annotate(HttpApi.PayloadParseOptions, strict)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Make a voicemail box",
          description:
            "Its PIN is made here and shown by `GET …/pin` alone; only holders of `sip.credentials.write` and service tokens may send one. `domain` may be " +
            "left out where the tenant has one only. Another PIN with the same Idempotency-Key is not told apart."
        })
      ),
    HttpApiEndpoint.get("show", "/:id", { params, success: VoicemailBoxView, error: NotFound })
      .annotate(Requires, "sip.read")
      .annotateMerge(OpenApi.annotations({ summary: "One voicemail box" })),
    HttpApiEndpoint.put("update", "/:id", {
      params,
      payload: Schema.Struct({ box: Schema.optionalKey(InternalNumber), name: Schema.optionalKey(Name), ...more }),
      success: VoicemailBoxView,
      error: [NotFound, DomainTaken, NumberTaken]
    })
      .annotate(Requires, manage)
      .annotate(HttpApi.PayloadParseOptions, strict)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change a voicemail box",
          description: "At least one field; what is not named stays."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:id", { params, success: HttpApiSchema.NoContent, error: [NotFound, InUse] })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Delete a voicemail box",
          description: "409 `in_use` while a number or a menu leads to it."
        })
      ),
    HttpApiEndpoint.post("rotate", "/:id/pin", { params, success: VoicemailBoxView, error: NotFound })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Give a voicemail box a new PIN",
          description: "Made here and shown by `GET …/pin`."
        })
      ),
    HttpApiEndpoint.get("pin", "/:id/pin", { params, success: PinView, error: NotFound })
      .annotate(Requires, "sip.credentials.read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "The PIN of a voicemail box",
          description: "Each showing stands in the audit log."
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/sip/voicemail-boxes")
