import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Unavailable } from "#core/http/Problem.ts"
import { DnsVerifierApi } from "./Api.ts"
import { domains } from "./handlers/Domains.ts"
import { providers } from "./handlers/Providers.ts"
import { records } from "./handlers/Records.ts"

const later = () => Effect.fail(new Unavailable({ detail: "This is not answered yet." }))

const checks = HttpApiBuilder.group(DnsVerifierApi, "checks", (handlers) => handlers.handleAll({ instructions: later, check: later, verify: later }))
const plans = HttpApiBuilder.group(DnsVerifierApi, "plans", (handlers) => handlers.handleAll({ create: later, list: later, show: later, apply: later, discard: later }))

export const handlers = HttpApiBuilder.layer(DnsVerifierApi).pipe(Layer.provide([domains, checks, records, plans, providers]))
