import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import * as Api from "#core/http/Api.ts"
import { Id, plainText } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { TooManyRetrievals } from "../vocabulary/Exports.ts"
import { LinkMailFailed } from "./Errors.ts"

/** Sends links by mail. */
export const linkMail = HttpApiGroup.make("provisioningLinkMail")
  .add(
    HttpApiEndpoint.post("send", "/:id/mail", {
      params: { id: Id },
      payload: Schema.Struct({
        /** The whole link, as the creation of the token answered it. */
        link: plainText(500)
      }),
      success: HttpApiSchema.NoContent,
      error: [NotFound, TooManyRetrievals, LinkMailFailed]
    })
      .annotate(Requires, "provisioning.client_tokens.create")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Send a provisioning link to its user by mail",
          description:
            "The mail goes to the user's own address, in the user's language. The link is needed because only its " +
            "hash is stored. 404: no such unused token that the caller may revoke, or the link is not its link. 429: " +
            "three mails were sent. 503 `link_mail_failed`: the relay does not accept the mail."
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/provisioning/client-tokens")

export const LinkMailApi = Api.make("provisioning-link-mail").add(linkMail)
