import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import { maxScopes, Scope } from "#core/auth/ServiceTokenStore.ts"
import { boundedList } from "#core/http/BoundedList.ts"
import { NotFound } from "#core/http/Problem.ts"
import { Name, ScopeExceeds } from "../users/Exports.ts"
import { Id, page, pageOf } from "#core/http/Paging.ts"
import { Time } from "#core/http/Time.ts"

/** Longest lifetime of a token. Unit: seconds. Reason: ten years; a token for longer use is created without expiry. */
export const maxLifetime = 3650 * 86_400

export const TokenView = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  scopes: Schema.Array(Schema.String),
  state: Schema.Literals(["valid", "expired", "revoked"]),
  created_at: Schema.String,
  expires_at: Schema.NullOr(Schema.String),
  revoked_at: Schema.NullOr(Schema.String),
  /** Precise to the minute. */
  last_used_at: Schema.NullOr(Schema.String)
}).annotate({ identifier: "ServiceToken" })

const params = { id: Id }

/** Service tokens, which programs send as `x-service-token`. */
export const serviceTokens = HttpApiGroup.make("service-tokens")
  .add(
    HttpApiEndpoint.get("list", "/", { query: page(), success: pageOf(TokenView) }).annotateMerge(
      OpenApi.annotations({ summary: "Service tokens, newest first", description: "Without the token values." })
    ),
    HttpApiEndpoint.get("show", "/:id", { params, success: TokenView, error: NotFound }).annotateMerge(
      OpenApi.annotations({ summary: "One service token" })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: Schema.Struct({
        name: Name,
        scopes: boundedList(Scope, { minimum: 1, maximum: maxScopes }),
        /**
         * Lifetime of the token. Unit: seconds. Without `expires_in` and `expires_at` the token is valid until it is
         * revoked.
         */
        expires_in: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxLifetime }))),
        expires_at: Schema.optionalKey(Time)
      }),
      success: Schema.Struct({ ...TokenView.fields, token: Schema.String }).pipe(HttpApiSchema.status(201)),
      error: ScopeExceeds
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Create a service token",
        description:
          "`token` is shown only once. 403 `scope_exceeds_own`: the caller lacks the scope. A scope that is a " +
          "permission requires this permission; `platform`, `introspection`, `mail-policy`, `mail-push` and " +
          "`switch` require all permissions. No Idempotency-Key, because the token is not stored."
      })
    ),
    HttpApiEndpoint.delete("revoke", "/:id", {
      params,
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Revoke a service token",
        description:
          "Every daemon refuses the token within a second, permanently. 404: no such token, or already revoked."
      })
    )
  )
  .middleware(Authentication)
  .prefix("/api/v1/service-tokens")
  .annotate(Requires, "service_tokens.manage")

export const ServiceTokensApi = Api.make("service-tokens").add(serviceTokens)
