import { HttpApiBuilder } from "effect/http-api"
import { DnsVerifierApi } from "./Api.ts"

export const handlers = HttpApiBuilder.layer(DnsVerifierApi)
