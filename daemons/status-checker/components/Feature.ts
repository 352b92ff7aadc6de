import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { prober } from "../checks/Exports.ts"
import { statusFiles } from "../status-files/Exports.ts"
import { ComponentsApi } from "./Api.ts"
import { adminComponents } from "./Handlers.ts"

/** Components that operators make in the console. */
export const components = Feature.make({
  routes: [{ prefix: "/api/v1/admin/components", authenticated: true, atGateway: true }],
  api: ComponentsApi,
  layer: HttpApiBuilder.layer(ComponentsApi).pipe(Layer.provide(adminComponents), Layer.provide([statusFiles, prober]))
})
