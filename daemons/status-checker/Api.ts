import { OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"
import { admin } from "./incidents/overview/Api.ts"
import { adminIncidents } from "./incidents/Api.ts"
import { adminMaintenance } from "./incidents/maintenance/Api.ts"
import { formats, statuspage } from "./publication/FormatsApi.ts"
import { shown } from "./publication/Api.ts"
import { statusPages } from "./publication/pages/Api.ts"
import { subscriptions } from "./subscriptions/Api.ts"

/** Version of the status page and its interface. Source: interface document 3 §9. */
export const version = "2.7.0"

/** Everything status-checker answers. */
export const StatusCheckerApi = Api.make("status-checker")
  .add(shown)
  .add(formats)
  .add(statuspage)
  .add(statusPages)
  .add(subscriptions)
  .add(adminIncidents)
  .add(adminMaintenance)
  .add(admin)
  .annotateMerge(
    OpenApi.annotations({
      title: "status-checker",
      version,
      description: "The public status page: what works, what does not, and what is done about it"
    })
  )
