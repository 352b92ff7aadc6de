import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"
import { Authentication } from "#core/auth/Authentication.ts"
import { Permission, Requires } from "#core/auth/Permissions.ts"
import { Role } from "#core/auth/Roles.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { NotFound } from "#core/http/Problem.ts"
import { maxAddress, normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import { EmailTaken, LastAdmin, OwnAccount, RoleExceeds } from "./Errors.ts"
import { tenants } from "./tenants/Api.ts"
import { AccountTimeZone, Locale, maxName, Name } from "./UserFields.ts"
import { Password } from "../sessions/Exports.ts"
import { BodyId, Id, inTenant, page, pageOf, plainText } from "#core/http/Paging.ts"

/**
 * An e-mail address. The length is limited before normalising, to twice the maximum, because normalising may shorten
 * it.
 */
export const Email = Schema.String.pipe(
  Schema.check(
    Schema.isMaxLength(2 * maxAddress),
    // Accepts an overlong address here, because the length check already reports it.
    Schema.makeFilter((text: string) =>
      text.length <= 2 * maxAddress && normaliseEmail(text) === undefined ? "must be a valid e-mail address" : undefined
    )
  )
)
const State = Schema.Literals(["active", "suspended"])

export const UserView = Schema.Struct({
  id: Schema.Int,
  tenant_id: Schema.Int,
  email: Schema.String,
  name: Schema.String,
  role: Role,
  locale: Schema.String,
  /** Name of the IANA database; null: as the reader's device. */
  time_zone: Schema.NullOr(Schema.String),
  state: State,
  created_at: Schema.String,
  updated_at: Schema.String,
  last_login_at: Schema.NullOr(Schema.String)
}).annotate({ identifier: "User" })

/** An active session of a user. */
export const UserSession = Schema.Struct({
  id: Schema.String,
  created_at: Schema.String,
  /** Last use of the session's refresh token. */
  last_used_at: Schema.String,
  expires_at: Schema.String,
  /** Client address that opened the session. */
  address: Schema.NullOr(Schema.String),
  user_agent: Schema.NullOr(Schema.String),
  /** How the user authenticated; the values of `Session`. */
  methods: Schema.Array(Schema.String)
}).annotate({ identifier: "UserSession" })

/** Maximum number of listed sessions of a user. Unit: sessions. Reason: more than anybody reads. */
export const maxSessions = 200

const id = { id: Id }
const manage = "users.manage"
const refusals = [NotFound, RoleExceeds] as const
const ends = "Ends the user's sessions; every daemon refuses their access, refresh and mail tokens within a second. "

const exceptions = "409 `own_account`: the caller. 409 `last_admin`: the provider's last active admin."

/** Users of a tenant. */
export const users = HttpApiGroup.make("users")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...page(),
        ...inTenant,
        role: Schema.optionalKey(Role),
        state: Schema.optionalKey(State),
        /** Part of the address or name, case-insensitive. */
        q: Schema.optionalKey(plainText(maxName))
      },
      success: pageOf(UserView)
    })
      .annotate(Requires, "users.read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Users, newest first",
          description:
            "Users of the caller's tenant; service tokens see the users of all tenants. Service tokens and the " +
            "provider's admins may select a tenant with `tenant_id`."
        })
      ),
    HttpApiEndpoint.get("show", "/:id", { params: id, query: inTenant, success: UserView, error: NotFound })
      .annotate(Requires, "users.read")
      .annotateMerge(OpenApi.annotations({ summary: "One user" })),
    HttpApiEndpoint.post("create", "/", {
      headers: Idempotency.headers,
      payload: Schema.Struct({
        email: Email,
        name: Name,
        role: Role,
        locale: Schema.optionalKey(Locale),
        time_zone: Schema.optionalKey(AccountTimeZone),
        /** Without a password the user first signs in by a link. */
        password: Schema.optionalKey(Password),
        tenant_id: Schema.optionalKey(BodyId)
      }),
      success: UserView.pipe(HttpApiSchema.status(201)),
      error: [EmailTaken, RoleExceeds]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create a user",
          description:
            "403 `role_exceeds_own`: the role has a permission that the caller lacks. 409 `email_taken`: an " +
            "account of any tenant has the address. Addresses are unique across all tenants, because a sign-in " +
            "names no tenant; so the error reveals accounts of other tenants. The Idempotency-Key comparison " +
            "ignores the password. Default locale: en. `time_zone`: a name of the IANA database; default: null, as " +
            "the reader's device."
        })
      ),
    HttpApiEndpoint.patch("update", "/:id", {
      params: id,
      query: inTenant,
      payload: Schema.Struct({
        email: Schema.optionalKey(Email),
        name: Schema.optionalKey(Name),
        role: Schema.optionalKey(Role),
        locale: Schema.optionalKey(Locale),
        time_zone: Schema.optionalKey(AccountTimeZone)
      }),
      success: UserView,
      error: [...refusals, EmailTaken, OwnAccount, LastAdmin]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change a user",
          description:
            "Absent fields stay unchanged. A new role ends the user's sessions, because their tokens contain the " +
            "old role. 409 `own_account`: the caller's own role. 409 `last_admin`: the role of the provider's last " +
            "active admin."
        })
      ),
    HttpApiEndpoint.post("suspend", "/:id/suspend", {
      params: id,
      query: inTenant,
      success: UserView,
      error: [...refusals, OwnAccount, LastAdmin]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Suspend a user",
          description: `The user can no longer sign in. ${ends}${exceptions} A repeated call changes nothing.`
        })
      ),
    HttpApiEndpoint.post("unsuspend", "/:id/unsuspend", {
      params: id,
      query: inTenant,
      success: UserView,
      error: refusals
    })
      .annotate(Requires, manage)
      .annotateMerge(OpenApi.annotations({ summary: "Reactivate a suspended user" })),
    HttpApiEndpoint.post("password", "/:id/password", {
      params: id,
      query: inTenant,
      payload: Schema.Struct({ password: Password }),
      success: HttpApiSchema.NoContent,
      error: [...refusals, OwnAccount]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Set a user's password",
          description:
            `${ends}Unused sign-in links become invalid. 409 \`own_account\`: the caller, who uses ` +
            "/api/v1/auth/password instead."
        })
      ),
    HttpApiEndpoint.post("link", "/:id/link", {
      params: id,
      query: inTenant,
      success: Schema.Struct({
        /** URL below SIGNALBOX_PUBLIC_URL, or below the address of the request when that is not set. */
        url: Schema.String,
        purpose: Schema.Literals(["invitation", "reset"]),
        expires_at: Schema.String
      }),
      error: [...refusals, OwnAccount]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create a one-time sign-in link for a user",
          description:
            "The link is shown only once; send it to the user. It opens one session without a second factor and " +
            "lets the user set a password. A new link replaces an unused link of the same purpose. Purpose: " +
            "`invitation` for a user without a password, else `reset`. No Idempotency-Key, because the link is not " +
            "stored."
        })
      ),
    HttpApiEndpoint.post("signOut", "/:id/sign-out", {
      params: id,
      query: inTenant,
      success: Schema.Struct({ ended_sessions: Schema.Int }),
      error: refusals
    })
      .annotate(Requires, manage)
      .annotateMerge(OpenApi.annotations({ summary: "End all sessions of a user", description: ends.trim() })),
    HttpApiEndpoint.get("sessions", "/:id/sessions", {
      params: id,
      query: inTenant,
      success: Schema.Struct({ items: Schema.Array(UserSession) }),
      error: NotFound
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Sessions of a user",
          description: `Active sessions, newest first, at most ${maxSessions}.`
        })
      ),
    HttpApiEndpoint.delete("endSession", "/:id/sessions/:session", {
      params: { ...id, session: Schema.String.pipe(Schema.check(Schema.isUUID())) },
      query: inTenant,
      success: HttpApiSchema.NoContent,
      error: refusals
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "End a session of a user",
          description:
            "Every daemon refuses the tokens of the session within a second. 404: the user has no such active session."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:id", {
      params: id,
      query: inTenant,
      success: HttpApiSchema.NoContent,
      error: [...refusals, OwnAccount, LastAdmin]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Delete a user",
          description:
            "Also deletes the second factors, links and preferences of the user; audit entries stay. " +
            `${ends}${exceptions}`
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/users")

/** Roles and their permissions. */
export const rolesGroup = HttpApiGroup.make("roles")
  .add(
    HttpApiEndpoint.get("roles", "/", {
      success: Schema.Struct({
        items: Schema.Array(Schema.Struct({ role: Role, permissions: Schema.Array(Permission) }))
      })
    }).annotateMerge(OpenApi.annotations({ summary: "Roles and their permissions inside a tenant" }))
  )
  .middleware(Authentication)
  .prefix("/api/v1/roles")
  .annotate(Requires, "users.read")

export const UsersApi = Api.make("users").add(users).add(rolesGroup).add(tenants)
