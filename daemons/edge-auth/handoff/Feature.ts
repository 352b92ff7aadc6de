import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { Edge } from "../edge/Edge.ts"
import * as EdgeProjection from "../edge/EdgeProjection.ts"
import { edgeSettings } from "../edge/EdgeSettings.ts"
import * as Refusals from "../edge/Refusals.ts"
import { HandoffApi } from "./Api.ts"
import { handoff as handlers } from "./Handlers.ts"

/** Hands sessions over to other root domains by one-time codes. */
export const handoff = Feature.make({
  settings: edgeSettings,
  api: HandoffApi,
  layer: HttpApiBuilder.layer(HandoffApi).pipe(
    Layer.provide(handlers),
    Layer.provide([Edge.layer, EdgeProjection.layer, Refusals.layer])
  )
})
