import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import * as Api from "#core/http/Api.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { BodyId, Id, inTenant, page, pageOf } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import {
  MailRefused,
  MailServerUnavailable,
  MailSignInRefused,
  OwnAccount,
  TooManyAccounts,
  WebmailAddressTaken
} from "./Errors.ts"
import { Address, DisplayName, Host, Login, Port, Secret, strict } from "./FieldSchemas.ts"

/** An account as shown to its owner, without the password. */
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

const params = { id: Id }
const needed = "webmail.use"

/** Whether to try the sign-in before the account is stored. */
const verify = { verify: Schema.optionalKey(Schema.Literals(["true", "false"])) }
const checkErrors = [MailServerUnavailable, MailSignInRefused, MailRefused] as const
const watch = Schema.optionalKey(AccountView.fields.watch)

/** Accounts of the caller. */
export const accounts = HttpApiGroup.make("webmailAccounts")
  .add(
    HttpApiEndpoint.get("list", "/", { query: { ...page(), ...inTenant }, success: pageOf(AccountView) })
      .annotate(Requires, needed)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Your mail accounts, newest first",
          description: "Service tokens see everybody's, and may name a tenant."
        })
      ),
    HttpApiEndpoint.get("show", "/:id", { params, success: AccountView, error: NotFound })
      .annotate(Requires, needed)
      .annotateMerge(OpenApi.annotations({ summary: "One of your mail accounts" })),
    HttpApiEndpoint.post("create", "/", {
      headers: Idempotency.headers,
      query: verify,
      payload: Schema.Struct({
        address: Address,
        /** TLS from the first byte, as at `smtp_host`. */
        imap_host: Host,
        imap_port: Schema.optionalKey(Port),
        /** Without this host the account cannot send mail. */
        smtp_host: Schema.optionalKey(Schema.NullOr(Host)),
        smtp_port: Schema.optionalKey(Port),
        /** User name at both servers. Default: the address. */
        login: Schema.optionalKey(Schema.NullOr(Login)),
        password: Secret,
        display_name: Schema.optionalKey(DisplayName),
        watch,
        /** Owner of the account. Required of service tokens, refused for other users. */
        tenant_id: Schema.optionalKey(BodyId),
        user_id: Schema.optionalKey(BodyId)
      }),
      success: AccountView.pipe(HttpApiSchema.status(201)),
      error: [...checkErrors, WebmailAddressTaken, TooManyAccounts]
    })
      .annotate(Requires, needed)
      .annotate(HttpApi.PayloadParseOptions, strict)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Add a mail account that is elsewhere",
          description:
            "Signed in to before it is stored, unless `verify=false`: 409 `mail_sign_in_refused` when the server " +
            "does not take the password, 503 `mail_server_unavailable` when it does not answer or its address is a " +
            "private one. The password is stored sealed and never shown. Ports: 993 and 465 by default. Service " +
            "tokens name `tenant_id` and `user_id`. Another password with the same Idempotency-Key is not told " +
            "apart."
        })
      ),
    HttpApiEndpoint.put("update", "/:id", {
      params,
      query: verify,
      payload: Schema.Struct({
        address: Schema.optionalKey(Address),
        imap_host: Schema.optionalKey(Host),
        imap_port: Schema.optionalKey(Port),
        smtp_host: Schema.optionalKey(Schema.NullOr(Host)),
        smtp_port: Schema.optionalKey(Port),
        login: Schema.optionalKey(Schema.NullOr(Login)),
        password: Schema.optionalKey(Secret),
        display_name: Schema.optionalKey(DisplayName),
        watch
      }),
      success: AccountView,
      error: [NotFound, ...checkErrors, OwnAccount, WebmailAddressTaken]
    })
      .annotate(Requires, needed)
      .annotate(HttpApi.PayloadParseOptions, strict)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change a mail account",
          description:
            "At least one of them; what is not named stays. What changes the sign-in is tried first, unless " +
            "`verify=false`. Another host needs the password along with it: no stored one is sent to a server that " +
            "it was not given for. Of a mailbox of ours only `display_name` and `watch`: else 409 `own_account`."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:id", {
      params,
      success: HttpApiSchema.NoContent,
      error: [NotFound, OwnAccount]
    })
      .annotate(Requires, needed)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Forget a mail account that is elsewhere",
          description: "With its password and all that was kept of it here; nothing changes at its mail server."
        })
      ),
    HttpApiEndpoint.post("makeDefault", "/:id/default", { params, success: AccountView, error: NotFound })
      .annotate(Requires, needed)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Make it the account that is meant when none is named",
          description: "Again: changes nothing."
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/mail/webmail/accounts")

export const AccountsApi = Api.make("accounts").add(accounts)
