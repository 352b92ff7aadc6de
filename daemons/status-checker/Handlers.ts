import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { StatusCheckerApi } from "./Api.ts"
import { admin } from "./incidents/overview/Handlers.ts"
import { adminIncidents } from "./incidents/Handlers.ts"
import { adminMaintenance } from "./incidents/maintenance/Handlers.ts"
import { formats, shown, statuspage } from "./publication/Handlers.ts"
import { statusPages } from "./publication/pages/Handlers.ts"
import { subscriptions } from "./subscriptions/Handlers.ts"

export const handlers = HttpApiBuilder.layer(StatusCheckerApi).pipe(
  Layer.provide([shown, formats, statuspage, statusPages, subscriptions, adminIncidents, adminMaintenance, admin])
)
