import { Effect, Layer } from "effect"
import { NotificationWanted } from "#core/contracts/Notifications.ts"
import * as Legacy from "#core/daemon/Legacy.ts"
import { settings } from "#core/config/Environment.ts"
import type { ActorSpec } from "#core/supervision/Supervisor.ts"
import { DnsVerifierApi } from "./Api.ts"
import { dnsVerifierSettings } from "./Config.ts"
import { handlers } from "./Handlers.ts"
import { domains } from "./migrations/0001_domains.ts"
import * as Observer from "./observe/Observer.ts"
import * as Platform from "./Platform.ts"
import * as AdaptersLive from "./providers/AdaptersLive.ts"
import * as Credentials from "./providers/Credentials.ts"
import * as Sweep from "./sweep/SweepShard.ts"
import * as Verification from "./sweep/Verification.ts"
import * as ZoneAccess from "./zones/ZoneAccess.ts"
import { ApplyWanted, PlanWanted } from "./zones/ZoneJobs.ts"
import * as Zones from "./zones/Zones.ts"

const services = Layer.unwrap(
  Effect.map(settings(dnsVerifierSettings), (config) =>
    Layer.mergeAll(
      Verification.layer(config).pipe(Layer.provideMerge(Observer.layer(config))),
      Sweep.layer(config),
      Platform.layer(config),
      Zones.layer(config).pipe(
        Layer.provide(ZoneAccess.layer),
        Layer.provideMerge(Layer.merge(Credentials.layer, AdaptersLive.layer(config)))
      )
    )
  )
)

/** Domains and their DNS. */
export const dnsVerifier = Legacy.make({
  name: "dns-verifier",
  title: "Domains and DNS",
  port: 8107,
  settings: dnsVerifierSettings,
  migrations: { schema: "dns_verifier", steps: [domains] },
  queues: [PlanWanted.queue, ApplyWanted.queue, NotificationWanted.queue],
  sealed: [Credentials.sealedCredentials],
  routes: [
    { prefix: "/api/v1/domains", authenticated: true },
    { prefix: "/api/v1/dns-providers", authenticated: true }
  ],
  api: DnsVerifierApi,
  http: handlers,
  services,
  actors: Effect.map(Zones.Zones, ({ actors }): ReadonlyArray<ActorSpec<any>> => [...actors, ...Sweep.sweepActors]),
  components: Effect.map(Sweep.Sweep, ({ state }) => ({ sweep: state.component() }))
})
