import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 409: without this connection the user could no longer sign in. */
export class LastWayIn extends HttpApiError.Problem<LastWayIn>()(
  "LastWayIn",
  declaration("last_way_in", 409, "This connection is the only way to sign in"),
  codeField("last_way_in")
) {}

/** 503: the OpenID provider does not answer. */
export class ProviderUnavailable extends HttpApiError.Problem<ProviderUnavailable>()(
  "ProviderUnavailable",
  declaration("provider_unavailable", 503, "The external provider does not answer"),
  codeField("provider_unavailable")
) {}
