import { OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"
import { admin } from "./api/Admin.ts"
import { adminIncidents } from "./api/AdminIncidents.ts"
import { adminMaintenance } from "./api/AdminMaintenance.ts"
import { formats, statuspage } from "./api/Formats.ts"
import { shown } from "./api/Shown.ts"
import { statusPages } from "./api/StatusPages.ts"
import { subscriptions } from "./api/Subscriptions.ts"

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
