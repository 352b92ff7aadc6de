import * as Api from "#core/http/Api.ts"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import { Id, page, pageOf } from "#core/http/Paging.ts"
import { InvalidRequest, NotFound, Unauthenticated, Unavailable } from "#core/http/Problem.ts"

export const BanView = Schema.Struct({
  id: Schema.Int,
  /** An IPv4 address, or an IPv6 /64 network. */
  address: Schema.String,
  rule: Schema.String,
  banned_at: Schema.String,
  until: Schema.String
}).annotate({ identifier: "MailBan" })

/** Bans caused by attacks on the mail server. */
export const bans = HttpApiGroup.make("bans")
  .add(
    HttpApiEndpoint.get("list", "/", { query: page(), success: pageOf(BanView) })
      .annotate(Requires, "security.read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Banned addresses, newest first",
          description:
            "Bans belong to the provider's tenant, even if a mailbox of another tenant was attacked. Users of other " +
            "tenants see none."
        })
      ),
    HttpApiEndpoint.delete("lift", "/:id", { params: { id: Id }, success: HttpApiSchema.NoContent, error: NotFound })
      .annotate(Requires, "security.manage")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Lift a ban",
          description:
            "Also lifts the address's ban by the other rule. New offences of the address count again within a minute."
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/mail/bans")

/** Called by Dovecot. The fast lane answers it (AuthPolicy.ts); declared here for the API documents. */
export const authPolicy = HttpApiGroup.make("authPolicy").add(
  HttpApiEndpoint.post("authPolicy", "/api/v1/mail/auth-policy", {
    query: { command: Schema.Literals(["allow", "report"]) },
    payload: Schema.Struct({
      login: Schema.optionalKey(Schema.String),
      remote: Schema.optionalKey(Schema.String),
      mech: Schema.optionalKey(Schema.String),
      /** Whether the sign-in succeeded; required in a `report`. */
      success: Schema.optionalKey(Schema.Boolean),
      policy_reject: Schema.optionalKey(Schema.Boolean),
      fail_type: Schema.optionalKey(Schema.String)
    }),
    success: Schema.Struct({ status: Schema.Literal(0), msg: Schema.String }),
    error: [InvalidRequest, Unauthenticated, Unavailable]
  })
    .annotateMerge(Api.foreignBody)
    .annotateMerge(
      OpenApi.annotations({
        summary: "Dovecot's authentication policy server",
        description:
          "For the mail server. Requires a service token of scope mail-policy or platform, as x-service-token or as " +
          "the password of HTTP Basic. A `report` of a wrong password counts against the address in `remote`; the " +
          "answer to `allow` is always 0. Unknown members are ignored."
      })
    )
)

/** Endpoints of bans. */
export const BansApi = Api.make("mail-bans").add(bans).add(authPolicy)
