import { Effect, Layer } from "effect"
import * as Daemon from "#core/Daemon.ts"
import { DnsVerifierApi } from "./Api.ts"
import { dnsVerifierSettings } from "./Config.ts"
import { handlers } from "./Handlers.ts"
import { domains } from "./migrations/0001_domains.ts"

/** Domains and their DNS. */
export const dnsVerifier = Daemon.make({
  name: "dns-verifier",
  title: "Domains and DNS",
  port: 8107,
  settings: dnsVerifierSettings,
  migrations: { schema: "dns_verifier", steps: [domains] },
  queues: [],
  routes: [
    { prefix: "/api/v1/domains", authenticated: true },
    { prefix: "/api/v1/dns-providers", authenticated: true }
  ],
  api: DnsVerifierApi,
  http: handlers,
  services: Layer.empty,
  actors: Effect.succeed([])
})
