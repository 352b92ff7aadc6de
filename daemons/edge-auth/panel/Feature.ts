import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { bcrypt } from "../accounts/Exports.ts"
import { Edge } from "../edge/Edge.ts"
import * as EdgeProjection from "../edge/EdgeProjection.ts"
import { edgeSettings } from "../edge/EdgeSettings.ts"
import * as Refusals from "../edge/Refusals.ts"
import { PanelApi } from "./Api.ts"
import { panel as handlers } from "./Handlers.ts"

/** Account page of each user, and the panel of the administrators. */
export const panel = Feature.make({
  settings: edgeSettings,
  api: PanelApi,
  layer: HttpApiBuilder.layer(PanelApi).pipe(
    Layer.provide(handlers),
    Layer.provide([bcrypt, Edge.layer, EdgeProjection.layer, Refusals.layer])
  )
})
