/** Refusals of changes of components. */
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 409: the page has as many components as it may have. */
export class TooManyComponents extends HttpApiError.Problem<TooManyComponents>()(
  "TooManyComponents",
  declaration("too_many_components", 409, "There are too many components"),
  codeField("too_many_components")
) {}

/** 429: the caller tries checks too often; `retry-after` says when the next one is accepted. */
export class TooManyTries extends HttpApiError.Problem<TooManyTries>()(
  "TooManyTries",
  declaration("too_many_requests", 429, "Too many requests; try again later"),
  codeField("too_many_requests")
) {}
