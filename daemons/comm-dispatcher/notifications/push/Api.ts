import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"
import { Authentication } from "#core/auth/Authentication.ts"
import { UsersOnly } from "#core/auth/Permissions.ts"
import { NotFound } from "#core/http/Problem.ts"
import { PushSubscription } from "./PushSubscription.ts"

const Subscription = Schema.Struct({
  id: Schema.String,
  /** Host of the push service. */
  service: Schema.String,
  created_at: Schema.String
}).annotate({ identifier: "PushSubscription" })

const usersOnly = "For signed-in users only: 403 for a service token."

/** Push subscriptions of browsers, for notifications without an open page. */
export const push = HttpApiGroup.make("push")
  .add(
    HttpApiEndpoint.get("key", "/key", { success: Schema.Struct({ public_key: Schema.String }) })
      .annotate(UsersOnly, true)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Public key for push subscriptions",
          description: `\`applicationServerKey\` of the Push API, base64url. ${usersOnly}`,
          override: { security: [{ user: [] }] }
        })
      ),
    HttpApiEndpoint.get("subscriptions", "/subscriptions", {
      success: Schema.Struct({ items: Schema.Array(Subscription) })
    })
      .annotate(UsersOnly, true)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Push subscriptions of the caller's browsers",
          description: usersOnly,
          override: { security: [{ user: [] }] }
        })
      ),
    HttpApiEndpoint.post("subscribe", "/subscriptions", {
      payload: PushSubscription,
      success: Subscription.pipe(HttpApiSchema.status(201))
    })
      .annotate(UsersOnly, true)
      .annotateMerge(Api.foreignBody)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Subscribe a browser to pushes",
          description:
            "The body is the browser's `PushSubscription` as JSON. A known address renews its subscription. A user " +
            `has at most 10 subscriptions; another one replaces the one renewed least recently. ${usersOnly}`,
          override: { security: [{ user: [] }] }
        })
      ),
    HttpApiEndpoint.delete("unsubscribe", "/subscriptions/:id", {
      params: { id: Schema.String.pipe(Schema.check(Schema.isUUID())) },
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(UsersOnly, true)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Delete a push subscription",
          description: usersOnly,
          override: { security: [{ user: [] }] }
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/notifications/push")
