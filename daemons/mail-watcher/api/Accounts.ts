import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import { inTenant, page, pageOf } from "#core/http/Paging.ts"

/** An account as its owner sees it; never its password. */
export const AccountView = Schema.Struct({
  id: Schema.Int,
  tenant_id: Schema.Int,
  user_id: Schema.NullOr(Schema.Int),
  address: Schema.String,
  kind: Schema.Literals(["own", "foreign"]),
  display_name: Schema.String,
  state: Schema.Literals(["active", "suspended"]),
  is_default: Schema.Boolean,
  watch: Schema.Literals(["always", "lazy"]),
  imap_host: Schema.NullOr(Schema.String),
  imap_port: Schema.NullOr(Schema.Int),
  smtp_host: Schema.NullOr(Schema.String),
  smtp_port: Schema.NullOr(Schema.Int),
  login: Schema.NullOr(Schema.String)
}).annotate({ identifier: "WebmailAccount" })

/** The caller's mail accounts. */
export const accounts = HttpApiGroup.make("webmailAccounts")
  .add(
    HttpApiEndpoint.get("list", "/", { query: { ...page(), ...inTenant }, success: pageOf(AccountView) })
      .annotate(Requires, "webmail.use").annotateMerge(OpenApi.annotations({
        summary: "Your mail accounts, newest first",
        description: "Service tokens see everybody's, and may name a tenant."
      }))
  )
  .middleware(Authentication)
  .prefix("/api/v1/mail/webmail/accounts")
