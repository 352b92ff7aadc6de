import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import * as Api from "#core/http/Api.ts"
import { BodyId, Id, inTenant, page, pageOf, plainText } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { RoleExceeds, TooManyTokens, UserNotActive } from "./Errors.ts"
import { tokenStates } from "./TokenState.ts"

/** Maximum length of a label. Unit: UTF-16 units. Reason: longer than any name of a device. */
export const maxLabel = 100

/** A token without its secret. */
export const TokenView = Schema.Struct({
  id: Schema.Int,
  tenant_id: Schema.Int,
  user_id: Schema.Int,
  /** The 8 hexadecimal digits of the token that people recognise it by. */
  prefix: Schema.String,
  /** Name that the device gets; null: the name that the device gives. */
  label: Schema.NullOr(Schema.String),
  state: Schema.Literals(tokenStates),
  /** `user:12`, `service:3`. */
  created_by: Schema.String,
  created_at: Schema.String,
  expires_at: Schema.String,
  used_at: Schema.NullOr(Schema.String),
  revoked_at: Schema.NullOr(Schema.String),
  /** Device that the token has set up; null unless `used`. */
  device_id: Schema.NullOr(Schema.String)
}).annotate({ identifier: "ClientToken" })

/** A new token with its link, which is shown only once. */
export const NewTokenView = Schema.Struct({
  ...TokenView.fields,
  /** `https://<tenant_domain>/provision/<token>`. */
  link: Schema.String
}).annotate({ identifier: "NewClientToken" })

const create = "provisioning.client_tokens.create"

/** Tokens that set up devices. */
export const clientTokens = HttpApiGroup.make("clientTokens")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: [
        Schema.Struct({
          /** Default: the caller. */
          user_id: Schema.optionalKey(BodyId),
          label: Schema.optionalKey(Schema.NullOr(plainText(maxLabel)))
        }),
        Schema.Null
      ],
      success: NewTokenView.pipe(HttpApiSchema.status(201)),
      error: [NotFound, RoleExceeds, UserNotActive, TooManyTokens]
    })
      .annotate(Requires, create)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create a provisioning link",
          description:
            "Needs no body. The link sets up one device of the user and signs it in. It is shown only once, is " +
            "valid for `SIGNALBOX_PROVISIONING_TOKEN_DAYS` and works once. Users create links for themselves; for " +
            "another user the caller needs `users.manage` and all permissions of that user's role (403 " +
            "`role_exceeds_own`). 404: no such user; a user that was just created may take a second. 409 " +
            "`user_not_active`, 409 `too_many_tokens`: too many unused links of the user. No Idempotency-Key, " +
            "because the token is not stored."
        })
      ),
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...page(),
        ...inTenant,
        user_id: Schema.optionalKey(Id),
        state: Schema.optionalKey(Schema.Literals(tokenStates))
      },
      success: pageOf(TokenView)
    })
      .annotate(Requires, "provisioning.client_tokens.read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Tokens, newest first",
          description: "Without `users.read` the caller's own. Filters: `user_id`, `state`."
        })
      ),
    HttpApiEndpoint.delete("revoke", "/:id", { params: { id: Id }, success: HttpApiSchema.NoContent, error: NotFound })
      .annotate(Requires, create)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Revoke a token",
          description:
            "The link answers as an unknown one from then on. 404: no such token that the caller may revoke, or it " +
            "is used or revoked already. A device that it has set up stays: see `DELETE /api/v1/provisioning/devices`."
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/provisioning/client-tokens")

export const TokensApi = Api.make("provisioning-tokens").add(clientTokens)
