import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { statusFiles } from "../status-files/Exports.ts"
import { MaintenanceApi } from "./Api.ts"
import { adminMaintenance } from "./Handlers.ts"

/** Announced maintenance windows. */
export const maintenance = Feature.make({
  routes: [{ prefix: "/api/v1/admin/maintenance", authenticated: true, atGateway: true }],
  api: MaintenanceApi,
  layer: HttpApiBuilder.layer(MaintenanceApi).pipe(Layer.provide(adminMaintenance), Layer.provide(statusFiles))
})
