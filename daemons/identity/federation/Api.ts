import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"
import { Authentication } from "#core/auth/Authentication.ts"
import { UsersOnly } from "#core/auth/Permissions.ts"
import { InvalidRequest, NotFound, Unavailable } from "#core/http/Problem.ts"
import { LastWayIn, ProviderUnavailable } from "./Errors.ts"
import { TooManyTries } from "../sessions/Exports.ts"
import { isLocalPath } from "./ReturnTo.ts"

/** Longest provider id read. Unit: characters. Reason: existing ids have a single digit. */
const provider = { provider: Schema.String.pipe(Schema.check(Schema.isMaxLength(32))) }

/** Path of this site to return to after signing in. */
const ReturnTo = Schema.String.pipe(
  Schema.check(Schema.makeFilter((text) => isLocalPath(text) || "must be a path on this host, such as /mail"))
)

const ExternalProvider = Schema.Struct({
  id: Schema.String,
  title: Schema.String,
  /** Whether the provider answered the last request. */
  available: Schema.Boolean,
  start_url: Schema.String
}).annotate({ identifier: "OutsideProvider" })

const LinkedProvider = Schema.Struct({
  /** Null when the provider is no longer configured. */
  provider: Schema.NullOr(Schema.String),
  title: Schema.String,
  /** Address that the provider reported. */
  email: Schema.NullOr(Schema.String),
  /** `owner`: the user connected it while signed in; `email`: found by a verified address. */
  linked_by: Schema.Literals(["owner", "email"]),
  linked_at: Schema.String,
  last_used_at: Schema.NullOr(Schema.String)
}).annotate({ identifier: "LinkedProvider" })

/** Endpoints that the browser is redirected through. Their errors are HTML pages. */
export const federation = HttpApiGroup.make("federation")
  .add(
    HttpApiEndpoint.get("providers", "/providers", {
      success: Schema.Struct({ items: Schema.Array(ExternalProvider) })
    }).annotateMerge(
      OpenApi.annotations({
        summary: "External providers for signing in",
        description: "The configured providers, at most two. `available` is false while a provider does not answer."
      })
    ),
    HttpApiEndpoint.get("start", "/oidc/:provider/start", {
      params: provider,
      query: { return_to: Schema.optionalKey(ReturnTo) },
      success: HttpApiSchema.Empty(302),
      error: InvalidRequest
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Start a sign-in through an external provider",
        description:
          "Open it in a browser. Redirects to the provider (authorization code with PKCE) and sets a cookie, which " +
          "the same browser must send back within ten minutes. `return_to`: path on this host to return to after " +
          "the sign-in; default: the web console. Errors are HTML pages."
      })
    ),
    HttpApiEndpoint.get("callback", "/oidc/:provider/callback", {
      params: provider,
      query: {
        state: Schema.optionalKey(Schema.String),
        code: Schema.optionalKey(Schema.String),
        iss: Schema.optionalKey(Schema.String),
        error: Schema.optionalKey(Schema.String)
      },
      success: HttpApiSchema.Empty(303),
      error: InvalidRequest
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Callback of an external provider",
        description:
          "Redirect URI to register at the provider. Redirects to the web console with a one-time token in the " +
          "fragment (`/console/#token=…`), valid for a minute, which `POST /api/v1/auth/link` exchanges for a " +
          "session. If `return_to` is outside the console, redirects to `/api/v1/auth/welcome?return_to=…#…`. " +
          "Errors are HTML pages with a number that is also in the log."
      })
    )
  )
  .prefix("/api/v1/auth")

/** Providers connected with the caller's account. */
export const linked = HttpApiGroup.make("linked-providers")
  .add(
    HttpApiEndpoint.get("list", "/", { success: Schema.Struct({ items: Schema.Array(LinkedProvider) }) }).annotateMerge(
      OpenApi.annotations({
        summary: "External providers connected with the caller's account",
        description: "Oldest connection first."
      })
    ),
    HttpApiEndpoint.post("connect", "/:provider", {
      params: provider,
      // Schema.Null accepts a request without body.
      payload: [Schema.Struct({ return_to: Schema.optionalKey(ReturnTo) }), Schema.Null],
      success: Schema.Struct({ url: Schema.String }),
      error: [NotFound, ProviderUnavailable, TooManyTries, Unavailable]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Connect an external provider with the caller's account",
        description:
          "Answers the address to open in the browser and sets a cookie. The same browser must return with this " +
          "cookie within ten minutes. No Idempotency-Key, because the address is valid once."
      })
    ),
    HttpApiEndpoint.delete("disconnect", "/:provider", {
      params: provider,
      success: HttpApiSchema.NoContent,
      error: [NotFound, LastWayIn]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Disconnect an external provider from the caller's account",
        description: "409 `last_way_in`: the account has no password and no other connection."
      })
    )
  )
  .middleware(Authentication)
  .annotate(UsersOnly, true)
  .prefix("/api/v1/auth/linked")

export const FederationApi = Api.make("federation").add(federation).add(linked)
