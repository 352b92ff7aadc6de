import { Effect, Layer } from "effect"
import * as Daemon from "#core/Daemon.ts"
import { settings } from "#core/Environment.ts"
import { DnsVerifierApi } from "./Api.ts"
import { dnsVerifierSettings } from "./Config.ts"
import { handlers } from "./Handlers.ts"
import { domains } from "./migrations/0001_domains.ts"
import * as Observer from "./observe/Observer.ts"
import * as Platform from "./Platform.ts"
import { ProviderError } from "./providers/Adapter.ts"
import { Adapters } from "./providers/AdapterOf.ts"
import * as Credentials from "./providers/Credentials.ts"

/** Until there are adapters. */
const adapters = Layer.succeed(Adapters, Adapters.of({
  of: () => Effect.fail(new ProviderError({ reason: "unavailable", detail: "This is not spoken yet.", retryAfter: null }))
}))

const services = Layer.unwrap(Effect.map(settings(dnsVerifierSettings), (config) => Layer.mergeAll(Observer.layer(config), Platform.layer(config), Credentials.layer, adapters)))

/** Domains and their DNS. */
export const dnsVerifier = Daemon.make({
  name: "dns-verifier",
  title: "Domains and DNS",
  port: 8107,
  settings: dnsVerifierSettings,
  migrations: { schema: "dns_verifier", steps: [domains] },
  queues: [],
  sealed: [Credentials.sealedCredentials],
  routes: [
    { prefix: "/api/v1/domains", authenticated: true },
    { prefix: "/api/v1/dns-providers", authenticated: true }
  ],
  api: DnsVerifierApi,
  http: handlers,
  services,
  actors: Effect.succeed([])
})
