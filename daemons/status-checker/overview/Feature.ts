import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { statusFiles } from "../status-files/Exports.ts"
import { OverviewApi } from "./Api.ts"
import { admin } from "./Handlers.ts"

/** Last checks, subscribers and undelivered mails, for operators. */
export const overview = Feature.make({
  // The console checks now, shows the results, and manages subscribers and their mails.
  routes: [
    { prefix: "/api/v1/admin/checks", authenticated: true, atGateway: true },
    { prefix: "/api/v1/admin/subscribers", authenticated: true, atGateway: true },
    { prefix: "/api/v1/admin/mails", authenticated: true, atGateway: true }
  ],
  api: OverviewApi,
  layer: HttpApiBuilder.layer(OverviewApi).pipe(Layer.provide(admin), Layer.provide(statusFiles))
})
