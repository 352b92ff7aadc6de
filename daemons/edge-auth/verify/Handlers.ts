import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import * as Handlers from "#core/http/Handlers.ts"
import { VerifyApi } from "./Api.ts"

/** Handler for the API document only: the lane answers `/verify` before the router. */
export const verify = Handlers.group(VerifyApi, "verify", (handlers) =>
  handlers.handleAll({ verify: () => Effect.succeed(HttpServerResponse.empty({ status: 503 })) })
)
