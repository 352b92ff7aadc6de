import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import { NotFound } from "#core/http/Problem.ts"
import { AccountNeeded, accountQuery } from "../../accounts/Exports.ts"
import { SignatureView } from "../signatures/Api.ts"
import { parseMailto } from "./MailtoUri.ts"

/**
 * Longest parameter. Unit: characters. Reason: links in browsers hold some thousand characters, and request headers 16
 * KiB.
 */
const maxParameter = 8000

const text = Schema.optionalKey(Schema.String.check(Schema.isMaxLength(maxParameter)))

const Mailto = Schema.String.pipe(
  Schema.check(
    Schema.isMaxLength(maxParameter),
    Schema.makeFilter((uri: string) =>
      uri.length <= maxParameter && parseMailto(uri) === undefined ? "must be a mailto URI" : undefined
    )
  )
)

export const ComposeView = Schema.Struct({
  to: Schema.Array(Schema.String),
  cc: Schema.Array(Schema.String),
  /** One line of plain text, not escaped. */
  subject: Schema.String,
  /** Escaped for HTML, with its line breaks. */
  body: Schema.String,
  /** Signature for the first recipient. Null: none matches. */
  signature: Schema.NullOr(SignatureView)
}).annotate({ identifier: "MailCompose" })

/** Endpoint that parses links for a new mail. */
export const compose = HttpApiGroup.make("webmailCompose")
  .add(
    HttpApiEndpoint.get("compose", "/", {
      query: { ...accountQuery, to: text, cc: text, subject: text, body: text, mailto: Schema.optionalKey(Mailto) },
      success: ComposeView,
      error: [NotFound, AccountNeeded]
    })
      .annotate(Requires, "webmail.use")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Sanitised parameters of a compose link",
          description:
            "Invalid addresses are dropped. The subject has at most 200 characters and no control characters. The " +
            "body has at most 2000 characters, escaped for HTML. `mailto` is a whole URI (RFC 6068); other " +
            "parameters override its fields. Nothing is sent or stored."
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/mail/webmail/compose")
