import { OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"

/** Everything sip-config answers. */
export const SipConfigApi = Api.make("sip-config")
  .annotateMerge(OpenApi.annotations({ title: "sip-config", description: "Extensions, lines, numbers and groups, as the telephone switch reads them; customers and calls" }))
