import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { DnsVerifierApi } from "./Api.ts"
import { checks } from "./handlers/Checks.ts"
import { domains } from "./handlers/Domains.ts"
import { plans } from "./handlers/Plans.ts"
import { providers } from "./handlers/Providers.ts"
import { records } from "./handlers/Records.ts"

export const handlers = HttpApiBuilder.layer(DnsVerifierApi).pipe(
  Layer.provide([domains, checks, records, plans, providers])
)
