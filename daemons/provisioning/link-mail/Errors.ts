/** Refusals of the mail with a link. */
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 503: the relay does not accept the mail. */
export class LinkMailFailed extends HttpApiError.Problem<LinkMailFailed>()(
  "LinkMailFailed",
  declaration("link_mail_failed", 503, "The mail cannot be sent"),
  codeField("link_mail_failed")
) {}
