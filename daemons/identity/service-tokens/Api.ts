import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
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
      OpenApi.annotations({ summary: "Service tokens, newest first", description: "Never the tokens themselves." })
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
    })
      .annotate(HttpApi.PayloadParseOptions, { errors: "all", onExcessProperty: "error" })
      .annotateMerge(
        OpenApi.annotations({
          summary: "Make a service token",
          description:
            "`token` is shown this once. Nobody gives a scope they do not hold: a permission of theirs; `platform`, `introspection`, `mail-policy`, `mail-push` and `switch` only who " +
            "holds every permission. Takes no Idempotency-Key, since nothing keeps the token."
        })
      ),
    HttpApiEndpoint.delete("revoke", "/:id", {
      params,
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Revoke a service token",
        description: "It stops working within a second everywhere, for good. One that was revoked before: 404."
      })
    )
  )
  .middleware(Authentication)
  .prefix("/api/v1/service-tokens")
  .annotate(Requires, "service_tokens.manage")

export const ServiceTokensApi = Api.make("service-tokens").add(serviceTokens)
