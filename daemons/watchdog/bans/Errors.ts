/** Refusals of the endpoints of bans. */
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 502: CrowdSec did not take the change. `detail` says why. Nothing was changed. */
export class CrowdSecFailed extends HttpApiError.Problem<CrowdSecFailed>()(
  "CrowdSecFailed",
  declaration("crowdsec_failed", 502, "CrowdSec did not take the change"),
  codeField("crowdsec_failed")
) {}
