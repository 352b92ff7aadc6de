import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
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

export const AppPasswordsApi = Api.make("app-passwords").add(appPasswords)
