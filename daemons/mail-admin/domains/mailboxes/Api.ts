import * as Api from "#core/http/Api.ts"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { BodyId, Id, page, pageOf } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { DomainPending } from "#core/ownership/Errors.ts"
import { AddressTaken } from "../Errors.ts"
import { LocalPart, Password, Quota } from "../Shapes.ts"

export const AccountView = Schema.Struct({
  id: Schema.Int,
  tenant_id: Schema.Int,
  domain_id: Schema.Int,
  local_part: Schema.String,
  address: Schema.String,
  user_id: Schema.NullOr(Schema.Int),
  quota_mb: Schema.NullOr(Schema.Int),
  state: Schema.Literals(["active", "suspended"]),
  /** Whether it is used when its user names no account. */
  is_default: Schema.Boolean,
  created_at: Schema.String,
  updated_at: Schema.String
}).annotate({ identifier: "MailAccount" })

const params = { id: Id }
const manage = "mail.manage"

export const MailboxChange = Schema.Struct({
  password: Schema.optionalKey(Password),
  quota_mb: Schema.optionalKey(Quota),
  user_id: Schema.optionalKey(Schema.NullOr(BodyId))
})

/** Mailboxes of a domain. */
export const domainAccounts = HttpApiGroup.make("domainAccounts")
  .add(
    HttpApiEndpoint.get("list", "/", { params, query: page(), success: pageOf(AccountView), error: NotFound })
      .annotate(Requires, "mail.read")
      .annotateMerge(OpenApi.annotations({ summary: "Mailboxes of a domain, newest first" })),
    HttpApiEndpoint.post("create", "/", {
      params,
      headers: Idempotency.headers,
      payload: Schema.Struct({
        local_part: LocalPart,
        password: Password,
        quota_mb: Schema.optionalKey(Quota),
        /** User who may sign in by mail token; must belong to the same tenant. Default: who has this address. */
        user_id: Schema.optionalKey(BodyId)
      }),
      success: AccountView.pipe(HttpApiSchema.status(201)),
      error: [NotFound, AddressTaken, DomainPending]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create a mailbox",
          description:
            "The first mailbox of a user is the user's default. 409 `domain_pending`: the ownership of the domain is " +
            "not proven yet. 409 `address_taken`: a mailbox or an alias has the address. Without `user_id` the " +
            "mailbox gets the user of its tenant who has its address, now or once the user is created. The " +
            "Idempotency-Key comparison ignores the password. `quota_mb` absent or null: no quota."
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/mail/domains/:id/accounts")

/** Mailboxes by id. */
export const accounts = HttpApiGroup.make("accounts")
  .add(
    HttpApiEndpoint.get("show", "/:id", { params, success: AccountView, error: NotFound })
      .annotate(Requires, "mail.read")
      .annotateMerge(OpenApi.annotations({ summary: "One mailbox" })),
    HttpApiEndpoint.put("update", "/:id", { params, payload: MailboxChange, success: AccountView, error: NotFound })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Set a mailbox's password, quota or user",
          description:
            "Requires at least one field; absent fields stay unchanged. `quota_mb` null: no quota. `user_id` null: " +
            "no user, also not by address."
        })
      ),
    HttpApiEndpoint.post("suspend", "/:id/suspend", { params, success: AccountView, error: NotFound })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Suspend a mailbox",
          description: "Sign-ins by password or token are refused. A repeated call changes nothing."
        })
      ),
    HttpApiEndpoint.post("unsuspend", "/:id/unsuspend", { params, success: AccountView, error: NotFound })
      .annotate(Requires, manage)
      .annotateMerge(OpenApi.annotations({ summary: "Reactivate a suspended mailbox" })),
    HttpApiEndpoint.delete("remove", "/:id", { params, success: HttpApiSchema.NoContent, error: NotFound })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Delete a mailbox",
          description:
            "The mail stays on the mail server until the operator purges it, and a new mailbox with the same address " +
            "does not get it. If the mailbox was the user's default, the user's oldest mailbox becomes the default."
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/mail/accounts")

/** Endpoints of mailboxes. */
export const MailboxesApi = Api.make("mailboxes").add(domainAccounts).add(accounts)
