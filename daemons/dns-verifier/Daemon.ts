import * as Daemon from "#core/daemon/Daemon.ts"
import { domains } from "./domains/Feature.ts"
import { nameClaims } from "./name-claims/Feature.ts"
import { providers } from "./providers/Feature.ts"
import { verification } from "./verification/Feature.ts"
import { zones } from "./zones/Feature.ts"
import "./HealthTexts.ts"
import "./ProblemTexts.ts"

/** Domains and their DNS. */
export const dnsVerifier = Daemon.make({
  name: "dns-verifier",
  title: "Domains and DNS",
  description: "Domains and their DNS: detects the provider, checks the records, and writes the zone",
  port: 8107,
  features: [domains, verification, providers, zones, nameClaims]
})
