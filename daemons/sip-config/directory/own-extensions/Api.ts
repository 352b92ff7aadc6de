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

const usersOnly = "For users; it takes no permission, as it answers of the caller's own extensions alone."

/** Endpoints for a user's own extensions, used by the softphone. */
export const ownExtensions = HttpApiGroup.make("ownExtensions")
  .add(
    HttpApiEndpoint.get("list", "/", { success: Schema.Struct({ items: Schema.Array(OwnExtensionView) }) })
      .annotate(UsersOnly, true)
      .annotateMerge(
        OpenApi.annotations({
          summary: "The caller's own extensions",
          description: `Those whose \`user_id\` is the caller, by their numbers; without passwords. ${usersOnly}`,
          override: { security: [{ user: [] }] }
        })
      ),
    HttpApiEndpoint.get("config", "/:id/config", { params: { id: Id }, success: PhoneConfigView, error: NotFound })
      .annotate(UsersOnly, true)
      .annotateMerge(
        OpenApi.annotations({
          summary: "What a phone of the caller's own extension is set to, its password included",
          description: `Somebody else's is 404. Each showing stands in the audit log. ${usersOnly}`,
          override: { security: [{ user: [] }] }
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/sip/extensions/mine")
