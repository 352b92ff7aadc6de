/** Page, feed, badges, the interface of Atlassian Statuspage, and the API documentation. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { NotFound } from "#core/http/Problem.ts"

const lang = { lang: Schema.optionalKey(Schema.String) }
const text = (contentType: string) => Schema.String.pipe(HttpApiSchema.asText({ contentType }))
const html = text("text/html")
const svg = text("image/svg+xml")

const Page = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  url: Schema.String,
  time_zone: Schema.String,
  updated_at: Schema.String
})
const List = Schema.Array(Schema.Unknown)
const parts = {
  status: Schema.Struct({
    indicator: Schema.Literals(["none", "minor", "major", "critical", "maintenance"]),
    description: Schema.String
  }),
  components: List,
  incidents: List,
  scheduled_maintenances: List
}
const { components, incidents, scheduled_maintenances, status } = parts

const documented = (summary: string) => OpenApi.annotations({ summary })

export const formats = HttpApiGroup.make("formats").add(
  HttpApiEndpoint.get("page", "/", { query: lang, success: html }).annotateMerge(documented("The status page")),
  HttpApiEndpoint.get("feed", "/feed.atom", { query: lang, success: text("application/atom+xml") }).annotateMerge(
    documented("Incidents as an Atom feed")
  ),
  HttpApiEndpoint.get("badge", "/badge.svg", { query: lang, success: svg }).annotateMerge(
    documented("The overall status as a badge")
  ),
  HttpApiEndpoint.get("componentBadge", "/badge/:file", {
    params: { file: Schema.String },
    query: lang,
    success: svg,
    error: NotFound
  }).annotateMerge(documented("One component's status as a badge: /badge/{component_id}.svg")),
  HttpApiEndpoint.get("docs", "/api/docs", { success: html }).annotateMerge(documented("This documentation as a page")),
  HttpApiEndpoint.get("openapi", "/api/openapi.json", { success: Schema.Unknown }).annotateMerge(
    documented("This documentation as OpenAPI")
  )
)

export const statuspage = HttpApiGroup.make("statuspage")
  .add(
    HttpApiEndpoint.get("summary", "/summary.json", {
      query: lang,
      success: Schema.Struct({ page: Page, ...parts })
    }).annotateMerge(documented("Everything current")),
    HttpApiEndpoint.get("overall", "/status.json", {
      query: lang,
      success: Schema.Struct({ page: Page, status })
    }).annotateMerge(documented("The overall status")),
    HttpApiEndpoint.get("components", "/components.json", {
      query: lang,
      success: Schema.Struct({ page: Page, components })
    }).annotateMerge(documented("Components and their groups")),
    HttpApiEndpoint.get("incidents", "/incidents.json", {
      query: lang,
      success: Schema.Struct({ page: Page, incidents })
    }).annotateMerge(documented("The 50 newest incidents")),
    HttpApiEndpoint.get("unresolved", "/incidents/unresolved.json", {
      query: lang,
      success: Schema.Struct({ page: Page, incidents })
    }).annotateMerge(documented("Open incidents")),
    HttpApiEndpoint.get("maintenances", "/scheduled-maintenances.json", {
      query: lang,
      success: Schema.Struct({ page: Page, scheduled_maintenances })
    }).annotateMerge(documented("Active and announced maintenance")),
    HttpApiEndpoint.get("active", "/scheduled-maintenances/active.json", {
      query: lang,
      success: Schema.Struct({ page: Page, scheduled_maintenances })
    }).annotateMerge(documented("Active maintenance")),
    HttpApiEndpoint.get("upcoming", "/scheduled-maintenances/upcoming.json", {
      query: lang,
      success: Schema.Struct({ page: Page, scheduled_maintenances })
    }).annotateMerge(documented("Announced maintenance"))
  )
  .prefix("/api/v2")
  .annotateMerge(OpenApi.annotations({ description: "Interface for clients of Atlassian Statuspage." }))
