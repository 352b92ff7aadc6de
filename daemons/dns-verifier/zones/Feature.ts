import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { settings } from "#core/config/Environment.ts"
import { NotificationWanted } from "#core/contracts/Notifications.ts"
import * as Feature from "#core/daemon/Feature.ts"
import { Jobs } from "#core/jobs/Jobs.ts"
import { StoredSettings } from "#core/settings/StoredSettings.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { PlanWanted } from "../domain-store/PlanRequests.ts"
import { adapters, Credentials } from "../providers/Exports.ts"
import { ZonesApi } from "./Api.ts"
import { applyWorker } from "./ApplyWorker.ts"
import { plans } from "./Handlers.ts"
import { mailDomainFeed } from "./MailDomainFeed.ts"
import { planWorker } from "./PlanWorker.ts"
import { zoneSettings } from "./Settings.ts"
import * as ZoneAccess from "./ZoneAccess.ts"
import { ApplyWanted } from "./ZoneJobs.ts"
import * as Zones from "./Zones.ts"

/** The settings, with the addresses of the platform as they are at each access. */
const live = Effect.gen(function* () {
  const { platformIpv4, platformIpv6 } = zoneSettings
  return (yield* StoredSettings).live(yield* settings(zoneSettings), { platformIpv4, platformIpv6 })
})

/** Plans changes to the zones of managed domains and applies the plans at their providers. */
export const zones = Feature.make({
  settings: zoneSettings,
  queues: [PlanWanted, ApplyWanted, NotificationWanted],
  api: ZonesApi,
  layer: Layer.unwrap(
    Effect.map(live, (config) =>
      Layer.merge(
        HttpApiBuilder.layer(ZonesApi).pipe(Layer.provide(plans), Layer.provide(Zones.layer(config))),
        Layer.effectDiscard(
          Effect.gen(function* () {
            yield* Jobs.worker(planWorker(config))
            yield* Jobs.worker(applyWorker(config.dnsMinute))
            yield* Supervisor.actor(yield* mailDomainFeed)
          })
        )
      )
    )
  ).pipe(Layer.provide(ZoneAccess.layer), Layer.provide([adapters, Credentials.layer]))
})
