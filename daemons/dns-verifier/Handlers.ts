import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Unavailable } from "#core/http/Problem.ts"
import { DnsVerifierApi } from "./Api.ts"

const later = () => Effect.fail(new Unavailable({ detail: "This is not answered yet." }))

const domains = HttpApiBuilder.group(DnsVerifierApi, "domains", (handlers) => handlers.handleAll({ list: later, create: later, show: later, update: later, remove: later }))
const checks = HttpApiBuilder.group(DnsVerifierApi, "checks", (handlers) => handlers.handleAll({ instructions: later, check: later, verify: later }))
const records = HttpApiBuilder.group(DnsVerifierApi, "records", (handlers) => handlers.handleAll({ list: later, create: later, show: later, update: later, remove: later }))
const plans = HttpApiBuilder.group(DnsVerifierApi, "plans", (handlers) => handlers.handleAll({ create: later, list: later, show: later, apply: later, discard: later }))
const providers = HttpApiBuilder.group(DnsVerifierApi, "providers", (handlers) =>
    handlers.handleAll({ list: later, types: later, create: later, show: later, update: later, remove: later, test: later, zones: later }))

export const handlers = HttpApiBuilder.layer(DnsVerifierApi).pipe(Layer.provide([domains, checks, records, plans, providers]))
