import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { StatusCheckerApi } from "./Api.ts"
import { admin } from "./handlers/Admin.ts"
import { adminIncidents } from "./handlers/AdminIncidents.ts"
import { adminMaintenance } from "./handlers/AdminMaintenance.ts"
import { formats, shown, statuspage } from "./handlers/Shown.ts"
import { statusPages } from "./handlers/StatusPages.ts"
import { subscriptions } from "./handlers/Subscriptions.ts"

export const handlers = HttpApiBuilder.layer(StatusCheckerApi).pipe(
  Layer.provide([shown, formats, statuspage, statusPages, subscriptions, adminIncidents, adminMaintenance, admin])
)
