import { OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"
import { callFilters } from "./api/CallFilters.ts"
import { calls } from "./api/Calls.ts"
import { customers } from "./api/Customers.ts"
import { dids } from "./api/Dids.ts"
import { extensions } from "./api/Extensions.ts"
import { externalNumbers } from "./api/ExternalNumbers.ts"
import { ivrMenus } from "./api/IvrMenus.ts"
import { lines } from "./api/Lines.ts"
import { ownExtensions } from "./api/OwnExtensions.ts"
import { ringGroups } from "./api/RingGroups.ts"
import { routeTest } from "./api/RouteTest.ts"
import { trunks } from "./api/Trunks.ts"
import { voicemailBoxes } from "./api/VoicemailBoxes.ts"

/** Everything sip-config answers. */
export const SipConfigApi = Api.make("sip-config")
  .add(extensions)
  .add(ownExtensions)
  .add(trunks)
  .add(dids)
  .add(lines)
  .add(ringGroups)
  .add(callFilters)
  .add(ivrMenus)
  .add(voicemailBoxes)
  .add(externalNumbers)
  .add(customers)
  .add(calls)
  .add(routeTest)
  .annotateMerge(
    OpenApi.annotations({
      title: "sip-config",
      description: "Extensions, lines, numbers and groups, as the telephone switch reads them; customers and calls"
    })
  )
