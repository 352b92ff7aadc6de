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
import { AccountTimeZone, Locale } from "../../users/Exports.ts"
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
  /** Time zone (IANA) that times are shown in; null: as the reader's device. */
  time_zone: Schema.NullOr(Schema.String),
  /** Sorted by name. */
  permissions: Schema.Array(Permission),
  session: Session,
  /** Whether the account can sign in with a password. */
  has_password: Schema.Boolean,
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
          "Ends the current session; every daemon refuses its access, refresh and mail tokens within a second. Also " +
            "deletes the cookie of a sign-in and ends its session, even if the bearer token is absent or expired."
        )
      ),
    HttpApiEndpoint.get("me", "/me", { success: Me, error: NotFound }).annotateMerge(
      described("The signed-in user", "Account, tenant, permissions, current session and second factors of the caller.")
    ),
    HttpApiEndpoint.patch("changeMe", "/me", {
      payload: Schema.Struct({ locale: Schema.optionalKey(Locale), time_zone: Schema.optionalKey(AccountTimeZone) }),
      success: Tokens,
      error: NotFound
    }).annotateMerge(
      described(
        "Change language and time zone",
        "`locale`: language of the account: of its notifications and mails, and of problems and reasons in answers. " +
          "`time_zone`: name of the IANA database, in which the console, mails and notifications show times; null: " +
          "as the reader's device. An alias is stored by its main name. Absent fields stay unchanged. Tokens name " +
          "both (`locale`, `zoneinfo`); the answer has a new access token of the same session, which expires when " +
          "the present one does."
      )
    ),
    HttpApiEndpoint.get("sessions", "/sessions", {
      query: { limit: Schema.optionalKey(limit), before: Schema.optionalKey(sessionId) },
      success: SessionPage
    }).annotateMerge(described("Sessions of the caller", "Active sessions, newest first.")),
    HttpApiEndpoint.delete("endSession", "/sessions/:id", {
      params: { id: sessionId },
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotateMerge(
      described(
        "End a session",
        "Every daemon refuses the tokens of the session within a second. 404: the caller has no such active session."
      )
    ),
    HttpApiEndpoint.delete("endOtherSessions", "/sessions", { success: HttpApiSchema.NoContent }).annotateMerge(
      described("End all other sessions", "Ends all sessions of the caller except the current one.")
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
        "Requires `current_password`, unless the account has no password or a reset link opened the session within " +
          "the last hour. Ends all sessions of the account, including the current one, with all their access, " +
          "refresh and mail tokens. Unused sign-in links become invalid. Answers the tokens of a new session " +
          "(`cookie`: as for `/login`). 422: the new password breaks a rule; `message` says which."
      )
    )
  )
  .middleware(Authentication)
  .annotate(UsersOnly, true)
  .prefix("/api/v1/auth")
