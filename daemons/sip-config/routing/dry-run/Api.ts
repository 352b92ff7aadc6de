import * as Api from "#core/http/Api.ts"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import { inOfferedLanguage } from "#core/words/InLanguage.ts"
import { NotFound, Unavailable } from "#core/http/Problem.ts"
import { codes } from "../Steps.ts"
import { ofTenant } from "../../directory/Exports.ts"

/** Longest text of `from` or `to`. Unit: characters. Reason: an extension with its domain. */
const maxSide = 300

const Side = Schema.String.check(
  Schema.isMinLength(1),
  Schema.isMaxLength(maxSide),
  Schema.isPattern(/^[\w+*#.@() /-]+$/)
)

export const RouteTestResult = Schema.Struct({
  /** `phone`: `from` is an extension. `outside`: the call comes from a trunk. */
  origin: Schema.Literals(["phone", "outside"]),
  /** Dialplan context of the switch. */
  context: Schema.String,
  outcome: Schema.Literals(["Extension", "RingGroup", "Menu", "Leave", "Check", "Outside", "Refused"]),
  /** SIP status of a refused call. */
  status: Schema.NullOr(Schema.Int),
  /** Steps of the decision, in order; the last one is the result. */
  steps: Schema.Array(
    Schema.Struct({
      kind: Schema.Literals(["context", "filter", "number", "destination", "line", "result"]),
      /** Stable, for programs. */
      code: Schema.Literals(codes),
      /** One sentence in the requested language. */
      text: Schema.String
    })
  )
}).annotate({ identifier: "SipRouteTest" })

/** Endpoint that routes a call without placing it. */
export const routeTest = HttpApiGroup.make("routeTest")
  .add(
    HttpApiEndpoint.post("test", "/", {
      query: inOfferedLanguage,
      payload: Schema.Struct({ from: Side, to: Side, ...ofTenant }),
      success: RouteTestResult,
      error: [NotFound, Unavailable]
    })
      .annotate(Requires, "sip.read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Routing decision for a call from X to Y",
          description:
            "`from` is an extension (`1001` or `1001@voice.example.org`) or a telephone number; `to` is the dialled " +
            "number. The switch would get the same decision; no call is placed. Service tokens must name the " +
            "extension's domain or `tenant_id`. Steps and errors are in German or English, selected by `lang` or " +
            "Accept-Language."
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/sip/route-test")

/** API definition of the feature. */
export const RoutingApi = Api.make("routing").add(routeTest)
