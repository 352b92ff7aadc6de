import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { SipConfigApi } from "./Api.ts"
import { callFilters } from "./handlers/CallFilters.ts"
import { calls } from "./handlers/Calls.ts"
import { customers } from "./handlers/Customers.ts"
import { dids } from "./handlers/Dids.ts"
import { extensions } from "./handlers/Extensions.ts"
import { externalNumbers } from "./handlers/ExternalNumbers.ts"
import { ivrMenus } from "./handlers/IvrMenus.ts"
import { lines } from "./handlers/Lines.ts"
import { ownExtensions } from "./handlers/OwnExtensions.ts"
import { ringGroups } from "./handlers/RingGroups.ts"
import { routeTest } from "./handlers/RouteTest.ts"
import { trunks } from "./handlers/Trunks.ts"
import { voicemailBoxes } from "./handlers/VoicemailBoxes.ts"

export const handlers = HttpApiBuilder.layer(SipConfigApi).pipe(
  Layer.provide([
    extensions,
    ownExtensions,
    trunks,
    dids,
    lines,
    ringGroups,
    callFilters,
    ivrMenus,
    voicemailBoxes,
    externalNumbers,
    customers,
    calls,
    routeTest
  ])
)
