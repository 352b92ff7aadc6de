import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { mailServerSettings } from "#core/config/MailServerSettings.ts"
import * as CustomerTenants from "#core/customers/CustomerTenants.ts"
import * as Feature from "#core/daemon/Feature.ts"
import { merge } from "#core/http/Api.ts"
import { OwnNames } from "#core/ownership/OwnNames.ts"
import { ownershipSettings } from "#core/ownership/OwnershipSettings.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { platform } from "../domain-store/Platform.ts"
import { PlanWanted } from "../domain-store/PlanRequests.ts"
import { observer, sweep } from "../verification/Exports.ts"
import { DomainsApi } from "./Api.ts"
import { domains as domainHandlers } from "./Handlers.ts"
import { domains as tables } from "./migrations/0001_domains.ts"
import { customerTenants } from "./migrations/0002_customer_tenants.ts"
import { ownership } from "./migrations/0003_ownership.ts"
import { provenNames } from "./ProvenNames.ts"
import { zoneChanges } from "./migrations/0004_zone_changes.ts"
import { RecordsApi } from "./records/Api.ts"
import { records as recordHandlers } from "./records/Handlers.ts"

/** Customers' domains and the records that users want in them. */
export const domains = Feature.make({
  settings: { ...mailServerSettings, ...ownershipSettings },
  migrations: [tables, customerTenants, ownership, zoneChanges],
  queues: [PlanWanted],
  api: merge("domains", [DomainsApi, RecordsApi]),
  layer: Layer.mergeAll(
    HttpApiBuilder.layer(DomainsApi).pipe(
      Layer.provide(domainHandlers),
      Layer.provide([platform, observer, sweep, OwnNames.layer])
    ),
    HttpApiBuilder.layer(RecordsApi).pipe(Layer.provide(recordHandlers)),
    Layer.effectDiscard(provenNames),
    Layer.effectDiscard(Effect.flatMap(CustomerTenants.feed("dns-verifier", "dns_verifier"), Supervisor.actor))
  )
})
