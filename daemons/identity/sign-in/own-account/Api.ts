import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Permission, UsersOnly } from "#core/auth/Permissions.ts"
import { Role } from "#core/auth/Roles.ts"
import { NotFound } from "#core/http/Problem.ts"
import {
  CrossSiteRequest,
  InvalidCredentials,
  Password,
  SignOutByCookie,
  TooManyTries
} from "../../sessions/Exports.ts"
import { AsCookie, Tokens } from "../TokenSchemas.ts"

/** Maximum number of sessions per page. */
export const maxPage = 200
export const defaultPage = 50

/** An active session. */
export const Session = Schema.Struct({
  id: Schema.String,
  created_at: Schema.String,
  /** Last use of the session's refresh token. */
  last_used_at: Schema.String,
  expires_at: Schema.String,
  /** Client address that opened the session. */
  address: Schema.NullOr(Schema.String),
  user_agent: Schema.NullOr(Schema.String),
  /**
   * How the user authenticated: `password`, `totp`, `messenger`, `recovery_code`, `link:<purpose>`, `oidc:<provider>`.
   */
  methods: Schema.Array(Schema.String),
  /** Whether it is the session of this request. */
  current: Schema.Boolean
}).annotate({ identifier: "Session" })

export const SessionPage = Schema.Struct({
  items: Schema.Array(Session),
  /** Value of `before` for the next page; null on the last page. */
  next_before: Schema.NullOr(Schema.String)
})

export const Me = Schema.Struct({
  id: Schema.Int,
  tenant_id: Schema.Int,
  tenant_name: Schema.String,
  email: Schema.String,
  name: Schema.String,
  role: Role,
  locale: Schema.String,
  /** Sorted by name. */
  permissions: Schema.Array(Permission),
  session: Session,
  /** Confirmed second factors. */
  factors: Schema.Array(Schema.Literals(["totp", "messenger"]))
}).annotate({ identifier: "Me" })

const sessionId = Schema.String.pipe(Schema.check(Schema.isUUID()))
const limit = Schema.NumberFromString.pipe(
  Schema.decodeTo(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxPage })))
)

/** Documents an endpoint that accepts bearer tokens only. */
const described = (summary: string, description: string) =>
  OpenApi.annotations({ summary, description, override: { security: [{ user: [] }] } })

/** Endpoints for the caller's own account and sessions. */
export const auth = HttpApiGroup.make("auth")
  .add(
    // SignOutByCookie wraps Authentication, so that a browser with only the cookie can sign out too.
    HttpApiEndpoint.post("logout", "/logout", { success: HttpApiSchema.NoContent })
      .middleware(Authentication)
      .middleware(SignOutByCookie)
      .annotateMerge(
        described(
          "Sign out",
          "Ends the session that asks; its access, refresh and mail tokens are void within a second everywhere. The cookie of a sign-in is taken " +
            "away and its session ended, with or without a bearer token that is still good."
        )
      ),
    HttpApiEndpoint.get("me", "/me", { success: Me, error: NotFound }).annotateMerge(
      described(
        "Who is signed in",
        "The caller's account and tenant, what they may, the session they are in and their second factors."
      )
    ),
    HttpApiEndpoint.get("sessions", "/sessions", {
      query: { limit: Schema.optionalKey(limit), before: Schema.optionalKey(sessionId) },
      success: SessionPage
    }).annotateMerge(described("The caller's sessions", "Those that stand, newest first.")),
    HttpApiEndpoint.delete("endSession", "/sessions/:id", {
      params: { id: sessionId },
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotateMerge(
      described(
        "End a session",
        "One of the caller's own; its tokens are void within a second everywhere. Any other, and one that has ended: 404."
      )
    ),
    HttpApiEndpoint.delete("endOtherSessions", "/sessions", { success: HttpApiSchema.NoContent }).annotateMerge(
      described("End all other sessions", "All of the caller's sessions but the one that asks.")
    ),
    HttpApiEndpoint.post("password", "/password", {
      payload: Schema.Struct({
        current_password: Schema.optionalKey(Password),
        new_password: Password,
        cookie: AsCookie
      }),
      success: Tokens,
      error: [InvalidCredentials, CrossSiteRequest, TooManyTries]
    }).annotateMerge(
      described(
        "Change the password",
        "Needs `current_password`, unless the account has none or the session was opened by a reset link within the last hour. Every session " +
          "of the account ends, the one that asks too, and with them all access, refresh and mail tokens; links that were not used are void. " +
          "The answer holds the tokens of a new session (`cookie` as at `/login`). A new password that the rules refuse is answered 422 with what to do."
      )
    )
  )
  .middleware(Authentication)
  .annotate(UsersOnly, true)
  .prefix("/api/v1/auth")
