import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import * as Api from "#core/http/Api.ts"
import { BodyId, Id } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { overlap } from "./Store.ts"

export const SecretView = Schema.Struct({
  id: Schema.Int,
  tenant_id: Schema.Int,
  created_at: Schema.String,
  /** Null: the current secret. A replaced one signs until then. */
  retires_at: Schema.NullOr(Schema.String)
}).annotate({ identifier: "WebhookSecret" })

export const RotateRequest = Schema.Struct({
  /** How long the replaced secret still signs. Unit: hours. 0: not at all. */
  overlap_hours: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: overlap.most }))),
  /** Tenant of the secret, for service tokens. Default: the provider's. */
  tenant_id: Schema.optionalKey(BodyId)
}).annotate({ identifier: "RotateWebhookSecret" })

/** Tenant of the secrets, for service tokens. Default: the provider's. */
const tenant = { tenant_id: Schema.optionalKey(Id) }

const webhookSecrets = HttpApiGroup.make("webhook-secrets")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: tenant,
      success: Schema.Struct({ items: Schema.Array(SecretView) })
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Secrets that sign the tenant's webhooks, newest first",
        description: "Without their values."
      })
    ),
    HttpApiEndpoint.post("rotate", "/", {
      payload: [RotateRequest, Schema.Null],
      success: Schema.Struct({ ...SecretView.fields, secret: Schema.String }).pipe(HttpApiSchema.status(201))
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Create a new secret",
        description:
          "`secret` is shown only once. Until the replaced secret retires, requests carry a signature of both. " +
          "No Idempotency-Key, because the secret is not stored in readable form."
      })
    ),
    HttpApiEndpoint.delete("remove", "/:id", {
      params: { id: Id },
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Delete a secret",
        description: "It signs nothing more. Without any secret the tenant's webhooks are not signed."
      })
    )
  )
  .middleware(Authentication)
  .prefix("/api/v1/comm/webhook-secrets")
  .annotate(Requires, "workflows.manage")

export const WebhookSecretsApi = Api.make("webhook-secrets").add(webhookSecrets)
