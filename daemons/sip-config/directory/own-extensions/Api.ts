import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { UsersOnly } from "#core/auth/Permissions.ts"
import { Id } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { PhoneConfigView } from "../extensions/Api.ts"

/** Extension as its owner sees it. */
export const OwnExtensionView = Schema.Struct({
  id: Schema.Int,
  extension: Schema.String,
  name: Schema.String,
  /** SIP domain. */
  domain: Schema.String,
  enabled: Schema.Boolean
}).annotate({ identifier: "OwnSipExtension" })

const usersOnly =
  "For users only. No permission is required, because the response covers only the caller's own extensions."

/** Endpoints for a user's own extensions, used by the softphone. */
export const ownExtensions = HttpApiGroup.make("ownExtensions")
  .add(
    HttpApiEndpoint.get("list", "/", { success: Schema.Struct({ items: Schema.Array(OwnExtensionView) }) })
      .annotate(UsersOnly, true)
      .annotateMerge(
        OpenApi.annotations({
          summary: "The caller's own extensions",
          description: `Extensions whose \`user_id\` is the caller, ordered by number, without passwords. ${usersOnly}`,
          override: { security: [{ user: [] }] }
        })
      ),
    HttpApiEndpoint.get("config", "/:id/config", { params: { id: Id }, success: PhoneConfigView, error: NotFound })
      .annotate(UsersOnly, true)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Phone settings of the caller's own extension, including the password",
          description: `404 for an extension of another user. Each request is written to the audit log. ${usersOnly}`,
          override: { security: [{ user: [] }] }
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/sip/extensions/mine")
