import { OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"
import { dids } from "./api/Dids.ts"
import { extensions } from "./api/Extensions.ts"
import { trunks } from "./api/Trunks.ts"

/** Everything sip-config answers. */
export const SipConfigApi = Api.make("sip-config")
  .add(extensions)
  .add(trunks)
  .add(dids)
  .annotateMerge(OpenApi.annotations({ title: "sip-config", description: "Extensions, lines, numbers and groups, as the telephone switch reads them; customers and calls" }))
