import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { BodyId, Id, inTenant, page, pageOf } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { ofTenant, whole } from "../Shapes.ts"

export const LineView = Schema.Struct({
  id: Schema.Int,
  tenant_id: Schema.Int,
  extension_id: Schema.Int,
  /** DID shown as caller ID; null: the trunk's caller ID. */
  did_id: Schema.NullOr(Schema.Int),
  trunk_id: Schema.Int,
  /** Lines with lower values are tried first. */
  priority: Schema.Int,
  created_at: Schema.String,
  updated_at: Schema.String
}).annotate({ identifier: "SipLine" })

const params = { id: Id }
const manage = "sip.manage"
const more = { did_id: Schema.optionalKey(Schema.NullOr(BodyId)), priority: Schema.optionalKey(whole(0, 10_000)) }

export const lines = HttpApiGroup.make("lines")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...page(),
        ...inTenant,
        extension_id: Schema.optionalKey(Id),
        did_id: Schema.optionalKey(Id),
        trunk_id: Schema.optionalKey(Id)
      },
      success: pageOf(LineView)
    })
      .annotate(Requires, "sip.read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Lines, newest first",
          description: "Filters: `extension_id`, `did_id`, `trunk_id`."
        })
      ),
    HttpApiEndpoint.post("create", "/", {
      headers: Idempotency.headers,
      payload: Schema.Struct({ extension_id: BodyId, trunk_id: BodyId, ...more, ...ofTenant }),
      success: LineView.pipe(HttpApiSchema.status(201))
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Make a line",
          description:
            "An outgoing call uses the extension's line with the lowest `priority` (default 100), then the next one " +
            "when that line fails. 422 when the tenant has no such extension, DID or trunk."
        })
      ),
    HttpApiEndpoint.get("show", "/:id", { params, success: LineView, error: NotFound })
      .annotate(Requires, "sip.read")
      .annotateMerge(OpenApi.annotations({ summary: "One line" })),
    HttpApiEndpoint.put("update", "/:id", {
      params,
      payload: Schema.Struct({
        extension_id: Schema.optionalKey(BodyId),
        trunk_id: Schema.optionalKey(BodyId),
        ...more
      }),
      success: LineView,
      error: NotFound
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change a line",
          description: "At least one field is required; omitted fields keep their values."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:id", { params, success: HttpApiSchema.NoContent, error: NotFound })
      .annotate(Requires, manage)
      .annotateMerge(OpenApi.annotations({ summary: "Delete a line" }))
  )
  .middleware(Authentication)
  .prefix("/api/v1/sip/lines")
