import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
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
import { Address, DisplayName, Host, Login, Port, Secret } from "./FieldSchemas.ts"

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
          description: "Service tokens see the accounts of all users; `tenant_id` limits the list to one tenant."
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
      .annotateMerge(
        OpenApi.annotations({
          summary: "Add a mailbox at another provider",
          description:
            "The daemon signs in before it stores the account, unless `verify=false`: 409 `mail_sign_in_refused` " +
            "when the server refuses the password, 503 `mail_server_unavailable` when the server does not answer or " +
            "has a private address. The password is stored encrypted and never shown. Default ports: 993 and 465. " +
            "Service tokens must name `tenant_id` and `user_id`. The Idempotency-Key check ignores the password."
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
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change a mail account",
          description:
            "At least one field is required; omitted fields keep their values. Changes of the sign-in are verified " +
            "first, unless `verify=false`. A change of host requires the password, because a stored password is " +
            "never sent to another server. Own accounts allow changes of `display_name` and `watch` only: 409 " +
            "`own_account` otherwise."
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
          summary: "Delete a mailbox at another provider",
          description: "Deletes the password and all data stored here; the mailbox at the provider does not change."
        })
      ),
    HttpApiEndpoint.post("makeDefault", "/:id/default", { params, success: AccountView, error: NotFound })
      .annotate(Requires, needed)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Make a mail account the default",
          description: "The default account is used when a request names none. The request is idempotent."
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/mail/webmail/accounts")

export const AccountsApi = Api.make("accounts").add(accounts)
