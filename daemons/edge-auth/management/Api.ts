/** Management of edge-auth by the provider's administrators. Users of edge-auth themselves use its own pages. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"
import { Authentication } from "#core/auth/Authentication.ts"
import { ProviderOnly, Requires } from "#core/auth/Permissions.ts"
import { Id, plainText } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { maxAddress, normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import { CoverageReport } from "../routes/Exports.ts"
import { EdgeUserExists, LastEdgeAdmin, RouteTaken } from "./Errors.ts"

/** Maximum number of listed users. Reason: more than anybody reads; `q` finds the others. */
export const maxUsers = 500

/** Longest name. Unit: UTF-16 units. Source: the registration page. */
const maxName = 100

/** Longest host, path and description. Unit: UTF-16 units. Reason: a host name has at most 253 characters. */
const maxHost = 253
const maxPath = 500
const maxDescription = 200

const Email = Schema.String.check(
  Schema.isMaxLength(maxAddress),
  Schema.makeFilter((text: string) =>
    text.length <= maxAddress && normaliseEmail(text) === undefined ? "must be an e-mail address" : undefined
  )
)
const Role = Schema.Literals(["user", "admin"])
const Status = Schema.Literals(["pending", "active", "blocked"])

export const EdgeUser = Schema.Struct({
  id: Schema.Int,
  email: Schema.String,
  name: Schema.String,
  /** `pending`: registered, and waits for an administrator. */
  status: Status,
  role: Role,
  second_factor: Schema.Boolean,
  created_at: Schema.String,
  last_sign_in_at: Schema.NullOr(Schema.String)
}).annotate({ identifier: "EdgeUser" })

export const EdgeRoute = Schema.Struct({
  id: Schema.Int,
  host: Schema.String,
  path: Schema.String,
  role: Role,
  description: Schema.String,
  enabled: Schema.Boolean,
  created_at: Schema.String
}).annotate({ identifier: "EdgeRoute" })

const params = { id: Id }
const read = "security.read"
const manage = "security.manage"
const documented = (summary: string, description?: string) =>
  OpenApi.annotations({ summary, ...(description === undefined ? {} : { description }) })

const once = "The answer is the only one with the password."

export const NewEdgeUser = Schema.Struct({ email: Email, name: plainText(maxName), role: Role })

const management = HttpApiGroup.make("edgeManagement")
  .add(
    HttpApiEndpoint.get("users", "/users", {
      query: { status: Schema.optionalKey(Status), q: Schema.optionalKey(plainText(maxName)) },
      success: Schema.Struct({ items: Schema.Array(EdgeUser) })
    })
      .annotate(Requires, read)
      .annotateMerge(
        documented(
          "Users of edge-auth, pending ones first",
          `At most ${maxUsers}. \`q\`: part of the address or name, case-insensitive.`
        )
      ),
    HttpApiEndpoint.post("createUser", "/users", {
      payload: NewEdgeUser,
      success: Schema.Struct({ user: EdgeUser, password: Schema.String }).pipe(HttpApiSchema.status(201)),
      error: EdgeUserExists
    })
      .annotate(Requires, manage)
      .annotateMerge(documented("Create a user of edge-auth", `The user is active at once. ${once}`)),
    HttpApiEndpoint.patch("changeUser", "/users/:id", {
      params,
      payload: Schema.Struct({
        status: Schema.optionalKey(Schema.Literals(["active", "blocked"])),
        role: Schema.optionalKey(Role)
      }),
      success: EdgeUser,
      error: [NotFound, LastEdgeAdmin]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        documented(
          "Admit, block or promote a user of edge-auth",
          "`active` admits a pending user. A blocked user is signed out everywhere within a second."
        )
      ),
    HttpApiEndpoint.delete("removeUser", "/users/:id", {
      params,
      success: HttpApiSchema.NoContent,
      error: [NotFound, LastEdgeAdmin]
    })
      .annotate(Requires, manage)
      .annotateMerge(documented("Delete a user of edge-auth", "Ends the user's sessions within a second.")),
    HttpApiEndpoint.post("resetPassword", "/users/:id/password", {
      params,
      success: Schema.Struct({ password: Schema.String }),
      error: NotFound
    })
      .annotate(Requires, manage)
      .annotateMerge(
        documented("Give a user of edge-auth a new password", `The user is signed out everywhere. ${once}`)
      ),
    HttpApiEndpoint.post("signOutUser", "/users/:id/sign-out", {
      params,
      success: Schema.Struct({ sessions: Schema.Int }),
      error: NotFound
    })
      .annotate(Requires, manage)
      .annotateMerge(documented("Sign a user of edge-auth out everywhere", "`sessions`: how many were ended.")),
    HttpApiEndpoint.delete("removeFactor", "/users/:id/second-factor", {
      params,
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(Requires, manage)
      .annotateMerge(
        documented(
          "Remove the second factor of a user of edge-auth",
          "For a user who lost it. The password is enough until the user sets one up again."
        )
      ),
    HttpApiEndpoint.get("coverage", "/coverage", { success: CoverageReport })
      .annotate(Requires, read)
      .annotateMerge(
        documented(
          "Which hosts are protected",
          "For each host whether a proxy asks about it and whether a route is enabled, from the requests of the " +
            "proxies and from their files (SIGNALBOX_EDGE_PROXY_CONFIG)."
        )
      ),
    HttpApiEndpoint.get("routes", "/routes", { success: Schema.Struct({ items: Schema.Array(EdgeRoute) }) })
      .annotate(Requires, read)
      .annotateMerge(documented("Protected routes, by host and path")),
    HttpApiEndpoint.post("addRoute", "/routes", {
      payload: Schema.Struct({
        host: plainText(maxHost),
        /** Path prefix; `/` is the whole host. */
        path: plainText(maxPath),
        role: Role,
        description: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(maxDescription)))
      }),
      success: EdgeRoute.pipe(HttpApiSchema.status(201)),
      error: RouteTaken
    })
      .annotate(Requires, manage)
      .annotateMerge(documented("Protect a host or a path", "Takes effect within a second.")),
    HttpApiEndpoint.patch("turnRoute", "/routes/:id", {
      params,
      payload: Schema.Struct({ enabled: Schema.Boolean }),
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(Requires, manage)
      .annotateMerge(documented("Turn a protected route on or off", "Off: the path is open, the route stays.")),
    HttpApiEndpoint.delete("removeRoute", "/routes/:id", { params, success: HttpApiSchema.NoContent, error: NotFound })
      .annotate(Requires, manage)
      .annotateMerge(documented("Delete a protected route", "The path is open afterwards."))
  )
  .annotate(ProviderOnly, true)
  .middleware(Authentication)
  .prefix("/api/v1/edge")
  .annotateMerge(OpenApi.annotations({ title: "Management of edge-auth" }))

export const ManagementApi = Api.make("edge-auth").add(management)
