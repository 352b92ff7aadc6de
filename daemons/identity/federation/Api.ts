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
  Schema.check(Schema.makeFilter((text) => isLocalPath(text) || "Expected a path on this host, such as /mail"))
)

const OutsideProvider = Schema.Struct({
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
      success: Schema.Struct({ items: Schema.Array(OutsideProvider) })
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Outside providers to sign in with",
        description:
          "At most two, as they are configured. One that does not answer is listed with `available` false; asking again later may find it back."
      })
    ),
    HttpApiEndpoint.get("start", "/oidc/:provider/start", {
      params: provider,
      query: { return_to: Schema.optionalKey(ReturnTo) },
      success: HttpApiSchema.Empty(302),
      error: InvalidRequest
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Begin to sign in through an outside provider",
        description:
          "To be opened in a browser: leads to the provider (authorization code with PKCE) and sets a cookie that has to come back with the " +
          "browser within ten minutes. `return_to` is where the browser is led in the end, a path on this host; default the web console. Errors are HTML pages."
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
        summary: "The way back from an outside provider",
        description:
          "Where the provider sends the browser; this address is to be laid down there. Leads to the web console with a one-time token in the " +
          "fragment (`/console/#token=…`), good for a minute, which `POST /api/v1/auth/link` exchanges; where `return_to` is no page of the console, " +
          "to `/api/v1/auth/welcome?return_to=…#…`. Errors are HTML pages with a number that stands in the log."
      })
    )
  )
  .prefix("/api/v1/auth")

/** Providers connected with the caller's account. */
export const linked = HttpApiGroup.make("linked-providers")
  .add(
    HttpApiEndpoint.get("list", "/", { success: Schema.Struct({ items: Schema.Array(LinkedProvider) }) }).annotateMerge(
      OpenApi.annotations({
        summary: "Outside providers connected with one's account",
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
        summary: "Connect an outside provider with one's account",
        description:
          "Answers where to lead the browser, and sets a cookie that has to come back with it within ten minutes: the browser that asks is the one " +
          "that has to go. Takes no Idempotency-Key, since what it answers is good once."
      })
    ),
    HttpApiEndpoint.delete("disconnect", "/:provider", {
      params: provider,
      success: HttpApiSchema.NoContent,
      error: [NotFound, LastWayIn]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Remove the connection with an outside provider",
        description: "Refused with `last_way_in` for an account that has no password and no other connection."
      })
    )
  )
  .middleware(Authentication)
  .annotate(UsersOnly, true)
  .prefix("/api/v1/auth/linked")

export const FederationApi = Api.make("federation").add(federation).add(linked)
