import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import { boundedList } from "#core/http/BoundedList.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { Id, inTenant, page, pageOf } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { InUse } from "../Errors.ts"
import { Cidr, Host, Name, ofTenant, PhoneNumber, TrunkPassword, Username } from "../Shapes.ts"

export const Transport = Schema.Literals(["udp", "tcp", "tls"])

export const TrunkView = Schema.Struct({
  id: Schema.Int,
  tenant_id: Schema.Int,
  name: Schema.String,
  host: Schema.String,
  port: Schema.Int,
  transport: Transport,
  username: Schema.NullOr(Schema.String),
  /** Whether a password is stored; no endpoint shows it. */
  has_password: Schema.Boolean,
  /** Whether the switch registers at the provider to receive calls. */
  register: Schema.Boolean,
  /** Digest realm; null: the realm of the provider's challenge. */
  realm: Schema.NullOr(Schema.String),
  /** Caller ID of calls whose line has no DID. */
  caller_id: Schema.NullOr(Schema.String),
  /** CIDR ranges from which calls of the trunk come; empty: `host`, if it is an IP address. */
  networks: Schema.Array(Schema.String),
  /** Of these, networks that the provider has not confirmed; no calls come from them yet. */
  networks_pending: Schema.Array(Schema.String),
  enabled: Schema.Boolean,
  created_at: Schema.String,
  updated_at: Schema.String
}).annotate({ identifier: "SipTrunk" })

/** Maximum number of ranges of one trunk. Reason: the largest providers list a few dozen. */
const maxNetworks = 64

const params = { id: Id }
const manage = "sip.manage"
const more = {
  port: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 65535 }))),
  transport: Schema.optionalKey(Transport),
  username: Schema.optionalKey(Schema.NullOr(Username)),
  password: Schema.optionalKey(Schema.NullOr(TrunkPassword)),
  register: Schema.optionalKey(Schema.Boolean),
  realm: Schema.optionalKey(Schema.NullOr(Host)),
  caller_id: Schema.optionalKey(Schema.NullOr(PhoneNumber)),
  networks: Schema.optionalKey(boundedList(Cidr, { minimum: 0, maximum: maxNetworks })),
  enabled: Schema.optionalKey(Schema.Boolean)
}

export const trunks = HttpApiGroup.make("trunks")
  .add(
    HttpApiEndpoint.get("list", "/", { query: { ...page(), ...inTenant }, success: pageOf(TrunkView) })
      .annotate(Requires, "sip.read")
      .annotateMerge(OpenApi.annotations({ summary: "Trunks, newest first" })),
    HttpApiEndpoint.post("create", "/", {
      headers: Idempotency.headers,
      payload: Schema.Struct({ name: Name, host: Host, ...more, ...ofTenant }),
      success: TrunkView.pipe(HttpApiSchema.status(201))
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Make a trunk",
          description:
            "The provider issues the password of a trunk. Holders of `sip.credentials.write` and service tokens may " +
            "send it; a trunk without a password does not register. The Idempotency-Key check ignores the password. " +
            "Calls come from `networks` once the provider has confirmed them."
        })
      ),
    HttpApiEndpoint.get("show", "/:id", { params, success: TrunkView, error: NotFound })
      .annotate(Requires, "sip.read")
      .annotateMerge(OpenApi.annotations({ summary: "One trunk" })),
    HttpApiEndpoint.put("update", "/:id", {
      params,
      payload: Schema.Struct({ name: Schema.optionalKey(Name), host: Schema.optionalKey(Host), ...more }),
      success: TrunkView,
      error: NotFound
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change a trunk",
          description:
            "At least one field is required; omitted fields keep their values. `password` null removes the " +
            "password. A trunk that registers needs `username` and `password`."
        })
      ),
    HttpApiEndpoint.post("confirm", "/:id/networks/confirm", {
      params,
      payload: Schema.Struct({ networks: boundedList(Cidr, { minimum: 1, maximum: maxNetworks }) }),
      success: TrunkView,
      error: NotFound
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Confirm the networks of a trunk",
          description:
            "For the provider: service tokens, and users of the provider's tenant. `networks` are all networks of " +
            "the trunk as the caller read them; 422 when they have changed since."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:id", { params, success: HttpApiSchema.NoContent, error: [NotFound, InUse] })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({ summary: "Delete a trunk", description: "409 `in_use` while a DID or a line uses it." })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/sip/trunks")
