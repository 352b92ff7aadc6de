import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { Id, inTenant, page, pageOf } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { Name, ofTenant, Pattern } from "../Shapes.ts"

export const FilterType = Schema.Literals(["blacklist", "whitelist"])

export const CallFilterView = Schema.Struct({
  id: Schema.Int,
  tenant_id: Schema.Int,
  name: Schema.String,
  type: FilterType,
  /** Pattern for the caller's number. */
  pattern: Schema.String,
  action: Schema.Literals(["reject"]),
  enabled: Schema.Boolean,
  created_at: Schema.String,
  updated_at: Schema.String
}).annotate({ identifier: "SipCallFilter" })

const params = { id: Id }
const manage = "sip.manage"
const about = { name: Name, type: FilterType, pattern: Pattern }
const more = { action: Schema.optionalKey(Schema.Literals(["reject"])), enabled: Schema.optionalKey(Schema.Boolean) }

export const callFilters = HttpApiGroup.make("callFilters")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...page(), ...inTenant, type: Schema.optionalKey(FilterType) },
      success: pageOf(CallFilterView)
    })
      .annotate(Requires, "sip.read")
      .annotateMerge(OpenApi.annotations({ summary: "Call filters, newest first", description: "Filter: `type`." })),
    HttpApiEndpoint.post("create", "/", {
      headers: Idempotency.headers,
      payload: Schema.Struct({ ...about, ...more, ...ofTenant }),
      success: CallFilterView.pipe(HttpApiSchema.status(201))
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create a call filter",
          description:
            "`pattern` matches the caller's number: digits, `+`, `*` for any text and `?` for any one character; or " +
            "the word `anonymous` for callers without a number. A blacklist rejects matching callers. A whitelist " +
            "admits matching callers; when a whitelist exists, callers that match none are rejected."
        })
      ),
    HttpApiEndpoint.get("show", "/:id", { params, success: CallFilterView, error: NotFound })
      .annotate(Requires, "sip.read")
      .annotateMerge(OpenApi.annotations({ summary: "One call filter" })),
    HttpApiEndpoint.put("update", "/:id", {
      params,
      payload: Schema.Struct({
        name: Schema.optionalKey(about.name),
        type: Schema.optionalKey(about.type),
        pattern: Schema.optionalKey(about.pattern),
        ...more
      }),
      success: CallFilterView,
      error: NotFound
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change a call filter",
          description: "At least one field is required; omitted fields keep their values."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:id", { params, success: HttpApiSchema.NoContent, error: NotFound })
      .annotate(Requires, manage)
      .annotateMerge(OpenApi.annotations({ summary: "Delete a call filter" }))
  )
  .middleware(Authentication)
  .prefix("/api/v1/sip/call-filters")
