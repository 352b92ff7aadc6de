/** Refusals at public addresses: links, profiles and files of telephones. */
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 404: the link is used, expired, revoked or unknown. The same for all, so that a stranger learns nothing. */
export class LinkGone extends HttpApiError.Problem<LinkGone>()(
  "LinkGone",
  declaration("link_gone", 404, "The link is not valid, or no longer valid"),
  codeField("link_gone")
) {}

/** 429: the client asks too often. */
export class TooManyRetrievals extends HttpApiError.Problem<TooManyRetrievals>()(
  "TooManyRetrievals",
  declaration("too_many_requests", 429, "Too many requests; try again later"),
  codeField("too_many_requests")
) {}
