import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import { boundedList } from "#core/http/BoundedList.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { BodyId, Id, inTenant, page, pageOf } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { DestinationType } from "../Destinations.ts"
import { domainRefusals, InUse } from "../Errors.ts"
import { Digits, Name, ofTenant, SipDomain, Sound, whole } from "../Shapes.ts"

export const IvrMenuView = Schema.Struct({
  id: Schema.Int,
  tenant_id: Schema.Int,
  name: Schema.String,
  domain: Schema.String,
  /** Sound file of the switch. */
  greeting: Schema.String,
  /** Longest wait for a key. Unit: seconds. */
  timeout: Schema.Int,
  /** Wrong inputs before the menu hangs up. */
  max_failures: Schema.Int,
  /** Destination for each key sequence. */
  entries: Schema.Array(
    Schema.Struct({ digits: Schema.String, destination_type: DestinationType, destination_id: Schema.Int })
  ),
  created_at: Schema.String,
  updated_at: Schema.String
}).annotate({ identifier: "SipIvrMenu" })

/** Maximum number of entries of one menu. Reason: more than any caller listens to. */
const maxEntries = 50

const params = { id: Id }
const manage = "sip.manage"
const Entry = Schema.Struct({ digits: Digits, destination_type: DestinationType, destination_id: BodyId })
const more = {
  domain: Schema.optionalKey(SipDomain),
  timeout: Schema.optionalKey(whole(1, 60)),
  max_failures: Schema.optionalKey(whole(1, 10)),
  entries: Schema.optionalKey(boundedList(Entry, { minimum: 0, maximum: maxEntries }))
}

export const ivrMenus = HttpApiGroup.make("ivrMenus")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...page(), ...inTenant, domain: Schema.optionalKey(SipDomain) },
      success: pageOf(IvrMenuView)
    })
      .annotate(Requires, "sip.read")
      .annotateMerge(OpenApi.annotations({ summary: "Menus, newest first", description: "Filter: `domain`." })),
    HttpApiEndpoint.post("create", "/", {
      headers: Idempotency.headers,
      payload: Schema.Struct({ name: Name, greeting: Sound, ...more, ...ofTenant }),
      success: IvrMenuView.pipe(HttpApiSchema.status(201)),
      error: domainRefusals
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create a menu",
          description:
            "Each entry routes a key sequence to an extension, a ring group, a menu, a voicemail box or an external " +
            "number of the tenant. `greeting` is a sound file of the switch. `domain` is optional when the tenant " +
            "has exactly one."
        })
      ),
    HttpApiEndpoint.get("show", "/:id", { params, success: IvrMenuView, error: NotFound })
      .annotate(Requires, "sip.read")
      .annotateMerge(OpenApi.annotations({ summary: "One menu" })),
    HttpApiEndpoint.put("update", "/:id", {
      params,
      payload: Schema.Struct({ name: Schema.optionalKey(Name), greeting: Schema.optionalKey(Sound), ...more }),
      success: IvrMenuView,
      error: [NotFound, ...domainRefusals]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change a menu",
          description: "At least one field is required; omitted fields keep their values."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:id", { params, success: HttpApiSchema.NoContent, error: [NotFound, InUse] })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Delete a menu",
          description: "409 `in_use` while a DID or another menu routes to it."
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/sip/ivr-menus")
