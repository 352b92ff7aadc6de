import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"
import { Authentication } from "#core/auth/Authentication.ts"
import { Permission, Requires } from "#core/auth/Permissions.ts"
import { Role } from "#core/auth/Roles.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { NotFound } from "#core/http/Problem.ts"
import { maxAddress, normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import { EmailTaken, LastAdmin, OwnAccount, RoleExceeds } from "./Errors.ts"
import { tenants } from "./tenants/Api.ts"
import { localeProblem, maxName, Name } from "./UserFields.ts"
import { Password } from "../sessions/Exports.ts"
import { BodyId, Id, inTenant, page, pageOf, plainText } from "#core/http/Paging.ts"

const strict = { errors: "all", onExcessProperty: "error" } as const

/**
 * An e-mail address. The length is limited before normalising, to twice the maximum, because normalising may shorten
 * it.
 */
export const Email = Schema.String.pipe(
  Schema.check(
    Schema.isMaxLength(2 * maxAddress),
    // Accepts an overlong address here, because the length check already reports it.
    Schema.makeFilter((text: string) =>
      text.length <= 2 * maxAddress && normaliseEmail(text) === undefined
        ? "must be an address one can sign in with"
        : undefined
    )
  )
)
const Locale = Schema.String.pipe(Schema.check(Schema.makeFilter(localeProblem)))
const State = Schema.Literals(["active", "suspended"])

export const UserView = Schema.Struct({
  id: Schema.Int,
  tenant_id: Schema.Int,
  email: Schema.String,
  name: Schema.String,
  role: Role,
  locale: Schema.String,
  state: State,
  created_at: Schema.String,
  updated_at: Schema.String,
  last_login_at: Schema.NullOr(Schema.String)
}).annotate({ identifier: "User" })

const id = { id: Id }
const manage = "users.manage"
const refusals = [NotFound, RoleExceeds] as const
const ends =
  "The user's sessions end, and with them their access, refresh and mail tokens, within a second everywhere. "

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
            "Those of the caller's tenant. Service tokens see all tenants' and may name one by `tenant_id`; so may the provider's own admins."
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
        /** Without a password the user first signs in by a link. */
        password: Schema.optionalKey(Password),
        tenant_id: Schema.optionalKey(BodyId)
      }),
      success: UserView.pipe(HttpApiSchema.status(201)),
      error: [EmailTaken, RoleExceeds]
    })
      .annotate(Requires, manage)
      .annotate(HttpApi.PayloadParseOptions, strict)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Make a user",
          description:
            "Nobody gives a role that may do more than they. Addresses are unique over all tenants, because sign-in names none: one that " +
            "is taken is answered 409 `email_taken`, in whichever tenant it is. That an address has an account is the one thing that can be told " +
            "of other tenants. Another password with the same Idempotency-Key is not told apart. Default locale: en."
        })
      ),
    HttpApiEndpoint.patch("update", "/:id", {
      params: id,
      query: inTenant,
      payload: Schema.Struct({
        email: Schema.optionalKey(Email),
        name: Schema.optionalKey(Name),
        role: Schema.optionalKey(Role),
        locale: Schema.optionalKey(Locale)
      }),
      success: UserView,
      error: [...refusals, EmailTaken, OwnAccount, LastAdmin]
    })
      .annotate(Requires, manage)
      .annotate(HttpApi.PayloadParseOptions, strict)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change a user",
          description:
            "What is not named stays. With another role the user's sessions end, because their tokens say the old one; nobody changes " +
            "their own role, nor the provider's last active admin's."
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
          description: `They cannot sign in. ${ends}Nobody suspends themselves or the provider's last active admin. Again: changes nothing.`
        })
      ),
    HttpApiEndpoint.post("unsuspend", "/:id/unsuspend", {
      params: id,
      query: inTenant,
      success: UserView,
      error: refusals
    })
      .annotate(Requires, manage)
      .annotateMerge(OpenApi.annotations({ summary: "Let a suspended user sign in again" })),
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
          description: `${ends}Links that were not used are void. One's own password is changed at /api/v1/auth/password.`
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
          summary: "Make a one-time sign-in link for a user",
          description:
            "Shown this once: pass it on. It opens one session, second factor included, and lets them choose a password. A new link of its " +
            "kind voids the one before. `invitation` for who has no password yet, else `reset`. Takes no Idempotency-Key, since nothing keeps the link."
        })
      ),
    HttpApiEndpoint.post("signOut", "/:id/sign-out", {
      params: id,
      query: inTenant,
      success: Schema.Struct({ ended_sessions: Schema.Int }),
      error: refusals
    })
      .annotate(Requires, manage)
      .annotateMerge(OpenApi.annotations({ summary: "Sign a user out everywhere", description: ends.trim() })),
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
          description: `With their factors, links and preferences; the audit log stays. ${ends}Nobody deletes themselves or the provider's last active admin.`
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
    }).annotateMerge(OpenApi.annotations({ summary: "The roles and what each may do inside its tenant" }))
  )
  .middleware(Authentication)
  .prefix("/api/v1/roles")
  .annotate(Requires, "users.read")

export const UsersApi = Api.make("users").add(users).add(rolesGroup).add(tenants)
