import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { DirectoryApi } from "./Api.ts"
import { callFilters } from "./call-filters/Handlers.ts"
import * as Credentials from "./Credentials.ts"
import { emergencyNumbersInUse } from "./EmergencyNumbersInUse.ts"
import { dids } from "./dids/Handlers.ts"
import { extensions } from "./extensions/Handlers.ts"
import { externalNumbers } from "./external-numbers/Handlers.ts"
import { ivrMenus } from "./ivr-menus/Handlers.ts"
import { lines } from "./lines/Handlers.ts"
import { telephony } from "./migrations/0001_telephony.ts"
import { trunkNetworks } from "./migrations/0005_trunk_networks.ts"
import { callerIds } from "./migrations/0006_caller_ids.ts"
import { ownExtensions } from "./own-extensions/Handlers.ts"
import { ringGroups } from "./ring-groups/Handlers.ts"
import { OwnNames } from "#core/ownership/OwnNames.ts"
import { ownershipSettings } from "#core/ownership/OwnershipSettings.ts"
import { ownership } from "./migrations/0008_ownership.ts"
import { extensionEvents } from "./migrations/0009_extension_events.ts"
import { sipDomains } from "./sip-domains/Handlers.ts"
import { provenNames } from "./sip-domains/ProvenNames.ts"
import { SipSettings, sipSettings, voicemailConflicts } from "./SipSettings.ts"
import { trunks } from "./trunks/Handlers.ts"
import { voicemailBoxes } from "./voicemail-boxes/Handlers.ts"

const handlers = Layer.mergeAll(
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
  sipDomains
)

/** Feature: management of extensions, DIDs, ring groups, menus, voicemail boxes, call filters, lines and trunks. */
export const directory = Feature.make({
  settings: { ...ownershipSettings, ...sipSettings },
  conflicts: voicemailConflicts,
  migrations: [telephony, trunkNetworks, callerIds, ownership, extensionEvents],
  dataChecks: [emergencyNumbersInUse],
  sealed: [Credentials.sealedExtensions, Credentials.sealedTrunks, Credentials.sealedPins],
  api: DirectoryApi,
  layer: Layer.mergeAll(
    HttpApiBuilder.layer(DirectoryApi).pipe(
      Layer.provide(handlers),
      Layer.provide(Layer.mergeAll(SipSettings.layer, Credentials.layer, OwnNames.layer))
    ),
    Layer.effectDiscard(provenNames)
  )
})
