import * as Api from "#core/http/Api.ts"
import { callFilters } from "./call-filters/Api.ts"
import { dids } from "./dids/Api.ts"
import { extensions } from "./extensions/Api.ts"
import { externalNumbers } from "./external-numbers/Api.ts"
import { ivrMenus } from "./ivr-menus/Api.ts"
import { lines } from "./lines/Api.ts"
import { ownExtensions } from "./own-extensions/Api.ts"
import { ringGroups } from "./ring-groups/Api.ts"
import { sipDomains } from "./sip-domains/Api.ts"
import { trunks } from "./trunks/Api.ts"
import { voicemailBoxes } from "./voicemail-boxes/Api.ts"

/** API definition of the feature: all endpoints for telephony data. */
export const DirectoryApi = Api.make("directory")
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
  .add(sipDomains)
