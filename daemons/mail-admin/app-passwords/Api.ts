import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires, UsersOnly } from "#core/auth/Permissions.ts"
import * as Api from "#core/http/Api.ts"
import { Id } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"

export const AppPasswordView = Schema.Struct({
  id: Schema.Int,
  tenant_id: Schema.Int,
  address: Schema.String,
  user_id: Schema.Int,
  device_id: Schema.String,
  device_name: Schema.String,
  created_at: Schema.String
}).annotate({ identifier: "MailAppPassword" })

/** App passwords of a mailbox. They are made when a device is set up. */
export const appPasswords = HttpApiGroup.make("appPasswords")
  .add(
    HttpApiEndpoint.get("list", "/", {
      params: { id: Id },
      success: Schema.Struct({ items: Schema.Array(AppPasswordView) }),
      error: NotFound
    })
      .annotate(Requires, "mail.read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "App passwords of a mailbox, newest first",
          description: "Each belongs to one device. The passwords themselves are shown only when a device is set up."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:password", {
      params: { id: Id, password: Id },
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(Requires, "mail.manage")
      .annotateMerge(
        OpenApi.annotations({
          summary: "End an app password",
          description:
            "The device cannot sign in again. Open sessions of the mailbox end; its other devices sign in again by " +
            "themselves."
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/mail/accounts/:id/app-passwords")

const usersOnly =
  "For users only. No permission is required, because the answer covers only mailboxes whose `user_id` is the caller."

/** App passwords of the caller's own mailboxes. */
export const ownAppPasswords = HttpApiGroup.make("ownAppPasswords")
  .add(
    HttpApiEndpoint.get("list", "/", { success: Schema.Struct({ items: Schema.Array(AppPasswordView) }) })
      .annotate(UsersOnly, true)
      .annotateMerge(
        OpenApi.annotations({
          summary: "App passwords of the caller's own mailboxes, newest first",
          description: `Without those that a former user of a mailbox made; they have no effect. ${usersOnly}`,
          override: { security: [{ user: [] }] }
        })
      ),
    HttpApiEndpoint.delete("remove", "/:password", {
      params: { password: Id },
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(UsersOnly, true)
      .annotateMerge(
        OpenApi.annotations({
          summary: "End an app password of the caller's own mailbox",
          description:
            "The device cannot sign in again. Open sessions of the mailbox end; its other devices sign in again by " +
            `themselves. 404 for a password of another user. ${usersOnly}`,
          override: { security: [{ user: [] }] }
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/mail/app-passwords/mine")

export const AppPasswordsApi = Api.make("app-passwords").add(appPasswords).add(ownAppPasswords)
