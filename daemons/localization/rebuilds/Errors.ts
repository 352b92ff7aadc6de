/** Refusals of the endpoints of rebuilds. */
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 409: a rebuild waits or runs. */
export class RebuildActive extends HttpApiError.Problem<RebuildActive>()(
  "RebuildActive",
  declaration("rebuild_active", 409, "A rebuild is under way"),
  codeField("rebuild_active")
) {}
