import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { NotFound } from "#core/http/Problem.ts"
import { ProviderTenant, TenantNameTaken } from "../Errors.ts"
import { Id, page, pageOf } from "#core/http/Paging.ts"
import { Name } from "../UserFields.ts"

export const TenantView = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  state: Schema.Literals(["active", "suspended"]),
  created_at: Schema.String,
  updated_at: Schema.String
}).annotate({ identifier: "Tenant" })

const params = { id: Id }
const payload = Schema.Struct({ name: Name })
const manage = "tenants.manage"
const provider =
  "Only for service tokens and the provider's admins; all other callers get 403, whether or not the tenant exists. "

/** Tenants: groups of users that cannot see each other's data. */
export const tenants = HttpApiGroup.make("tenants")
  .add(
    HttpApiEndpoint.get("list", "/", { query: page(), success: pageOf(TenantView) })
      .annotate(Requires, "tenants.read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Tenants, newest first",
          description: "The caller's own tenant; service tokens and the provider's admins see all tenants."
        })
      ),
    HttpApiEndpoint.get("show", "/:id", { params, success: TenantView, error: NotFound })
      .annotate(Requires, "tenants.read")
      .annotateMerge(OpenApi.annotations({ summary: "One tenant" })),
    HttpApiEndpoint.post("create", "/", {
      headers: Idempotency.headers,
      payload,
      success: TenantView.pipe(HttpApiSchema.status(201)),
      error: TenantNameTaken
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create a tenant",
          description: `${provider}Names are unique, ignoring upper and lower case.`
        })
      ),
    HttpApiEndpoint.patch("rename", "/:id", {
      params,
      payload,
      success: TenantView,
      error: [NotFound, TenantNameTaken]
    })
      .annotate(Requires, manage)
      .annotateMerge(OpenApi.annotations({ summary: "Rename a tenant", description: provider.trim() })),
    HttpApiEndpoint.post("suspend", "/:id/suspend", { params, success: TenantView, error: [NotFound, ProviderTenant] })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Suspend a tenant",
          description:
            `${provider}Users of the tenant can no longer sign in. Ends their sessions; every daemon refuses their ` +
            "tokens within a second. 409 `provider_tenant`: the provider's own tenant. A repeated call changes nothing."
        })
      ),
    HttpApiEndpoint.post("unsuspend", "/:id/unsuspend", { params, success: TenantView, error: NotFound })
      .annotate(Requires, manage)
      .annotateMerge(OpenApi.annotations({ summary: "Reactivate a suspended tenant", description: provider.trim() }))
  )
  .middleware(Authentication)
  .prefix("/api/v1/tenants")
