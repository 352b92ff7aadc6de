import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { statusFiles } from "../status-files/Exports.ts"
import { IncidentsApi } from "./Api.ts"
import { adminIncidents } from "./Handlers.ts"

/** Incidents of the database: drafts, updates, publication. */
export const incidents = Feature.make({
  routes: [{ prefix: "/api/v1/admin/incidents", authenticated: true, atGateway: true }],
  api: IncidentsApi,
  layer: HttpApiBuilder.layer(IncidentsApi).pipe(Layer.provide(adminIncidents), Layer.provide(statusFiles))
})
