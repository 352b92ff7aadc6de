import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { bcrypt } from "../accounts/Exports.ts"
import { Edge } from "../edge/Edge.ts"
import * as EdgeProjection from "../edge/EdgeProjection.ts"
import { edgeSettings } from "../edge/EdgeSettings.ts"
import { ManagementApi } from "./Api.ts"
import { management as handlers } from "./Handlers.ts"

/** Users and routes of edge-auth in the console, for the provider's administrators. */
export const management = Feature.make({
  settings: edgeSettings,
  routes: [{ prefix: "/api/v1/edge", authenticated: true, atGateway: true }],
  api: ManagementApi,
  layer: HttpApiBuilder.layer(ManagementApi).pipe(
    Layer.provide(handlers),
    Layer.provide([bcrypt, Edge.layer, EdgeProjection.layer])
  )
})
