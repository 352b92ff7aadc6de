import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import { boundedList } from "#core/http/BoundedList.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { Id, inTenant, page, pageOf } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { domainRefusals, InUse, NumberTaken } from "../Errors.ts"
import { InternalNumber, Name, ofTenant, SipDomain, whole } from "../Shapes.ts"

export const Strategy = Schema.Literals(["simultaneous", "sequence", "random"])

export const RingGroupView = Schema.Struct({
  id: Schema.Int,
  tenant_id: Schema.Int,
  name: Schema.String,
  domain: Schema.String,
  /** Number to dial the group; null: only DIDs and menus lead to it. */
  number: Schema.NullOr(Schema.String),
  /** Extensions ring all at once, one after another, or one after another in random order. */
  strategy: Strategy,
  /** Longest ringing, per extension in a sequence. Unit: seconds. */
  ring_timeout: Schema.Int,
  /** Numbers of extensions of the same domain, in ringing order. */
  extensions: Schema.Array(Schema.String),
  created_at: Schema.String,
  updated_at: Schema.String
}).annotate({ identifier: "SipRingGroup" })

/** Maximum number of extensions of one group. Reason: the switch puts them all into one dial string. */
const maxExtensions = 100

const params = { id: Id }
const manage = "sip.manage"
const about = {
  name: Name,
  strategy: Strategy,
  ring_timeout: whole(1, 600),
  extensions: boundedList(InternalNumber, { minimum: 1, maximum: maxExtensions })
}
const more = { domain: Schema.optionalKey(SipDomain), number: Schema.optionalKey(Schema.NullOr(InternalNumber)) }

export const NewRingGroup = Schema.Struct({ ...about, ...more, ...ofTenant })

export const RingGroupChange = Schema.Struct({
  name: Schema.optionalKey(about.name),
  strategy: Schema.optionalKey(about.strategy),
  ring_timeout: Schema.optionalKey(about.ring_timeout),
  extensions: Schema.optionalKey(about.extensions),
  ...more
})

export const ringGroups = HttpApiGroup.make("ringGroups")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...page(),
        ...inTenant,
        domain: Schema.optionalKey(SipDomain),
        number: Schema.optionalKey(InternalNumber)
      },
      success: pageOf(RingGroupView)
    })
      .annotate(Requires, "sip.read")
      .annotateMerge(
        OpenApi.annotations({ summary: "Ring groups, newest first", description: "Filters: `domain`, `number`." })
      ),
    HttpApiEndpoint.post("create", "/", {
      headers: Idempotency.headers,
      payload: NewRingGroup,
      success: RingGroupView.pipe(HttpApiSchema.status(201)),
      error: [...domainRefusals, NumberTaken]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create a ring group",
          description:
            "`extensions` are numbers of the same SIP domain. Without `domain`: the tenant's oldest domain that has " +
            "them. `ring_timeout` is in seconds. 409 `number_taken`: an extension or another group of the domain has " +
            "the number."
        })
      ),
    HttpApiEndpoint.get("show", "/:id", { params, success: RingGroupView, error: NotFound })
      .annotate(Requires, "sip.read")
      .annotateMerge(OpenApi.annotations({ summary: "One ring group" })),
    HttpApiEndpoint.put("update", "/:id", {
      params,
      payload: RingGroupChange,
      success: RingGroupView,
      error: [NotFound, ...domainRefusals, NumberTaken]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change a ring group",
          description: "At least one field is required; omitted fields keep their values."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:id", { params, success: HttpApiSchema.NoContent, error: [NotFound, InUse] })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Delete a ring group",
          description: "409 `in_use` while a DID or a menu routes to it."
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/sip/ring-groups")
