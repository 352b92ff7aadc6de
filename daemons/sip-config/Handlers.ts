import { HttpApiBuilder } from "effect/http-api"
import { SipConfigApi } from "./Api.ts"

export const handlers = HttpApiBuilder.layer(SipConfigApi)
