import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"
import { Unavailable } from "#core/http/Problem.ts"
import { html, typed } from "../edge/pages/Forms.ts"

/** Endpoint that redeems a one-time code at another root domain. */
const handoff = HttpApiGroup.make("handoff").add(
  HttpApiEndpoint.get("handoff", "/handoff", {
    query: { code: typed },
    success: html,
    error: Unavailable
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Take over a sign-in at another root domain",
      description:
        "Reached through the proxy of that host, at SIGNALBOX_EDGE_AUTH_HANDOFF_PATH. 303 to the return address, " +
        "with a cookie for that host only; 403 for a code that is invalid, expired or for another host."
    })
  )
)

export const HandoffApi = Api.make("edge-auth").add(handoff)
