import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { SipConfigApi } from "./Api.ts"
import { dids } from "./handlers/Dids.ts"
import { extensions } from "./handlers/Extensions.ts"
import { trunks } from "./handlers/Trunks.ts"

export const handlers = HttpApiBuilder.layer(SipConfigApi).pipe(Layer.provide([extensions, trunks, dids]))
