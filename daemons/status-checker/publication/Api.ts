/**
 * Public interface under `/api/v1`. The lane (Lane.ts) answers it; the endpoints are declared here for the router and
 * the documentation.
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"
import { formats, statuspage } from "./FormatsApi.ts"
import { statusPages } from "./pages/Api.ts"
import { NotFound } from "#core/http/Problem.ts"
import { historyDays } from "../status/Model.ts"
import { maxIncidents } from "./Shapes.ts"
import { incidentStatuses, severities, shownStatuses } from "../status/Vocabulary.ts"

const Text = Schema.String
const Time = Schema.String.annotate({ description: "ISO 8601 in UTC" })
const Names = { name: Text.annotate({ description: "In the language of the answer" }), name_en: Text, name_de: Text }
const Status = Schema.Literals(shownStatuses)
const Percent = Schema.Number.annotate({ description: "Percent, three decimals" })

export const ComponentView = Schema.Struct({
  id: Text,
  ...Names,
  group: Schema.NullOr(Text),
  status: Status.annotate({
    description:
      "Measured status, raised by open incidents; `under_maintenance` during maintenance; `unknown` without a " +
      "recent check"
  }),
  since: Schema.NullOr(Time),
  checked_at: Schema.NullOr(Time).annotate({ description: "Null when never measured" })
}).annotate({ identifier: "Component" })

const Milliseconds = Schema.Number.annotate({ description: "Milliseconds, whole" })

export const ResponseTimesView = Schema.Struct({
  id: Text,
  ...Names,
  mean_ms: Schema.NullOr(Milliseconds).annotate({ description: "Mean of all checks; null without an answer" }),
  most_ms: Schema.NullOr(Milliseconds).annotate({ description: "The slowest check; null without an answer" }),
  times: Schema.Array(
    Schema.Struct({
      at: Time.annotate({ description: "Begin of the quarter of an hour" }),
      checks: Schema.Number.annotate({ description: "Checks with an answer" }),
      mean_ms: Milliseconds,
      most_ms: Milliseconds
    })
  ).annotate({ description: "Oldest first" })
}).annotate({ identifier: "ResponseTimes" })

export const IncidentView = Schema.Struct({
  id: Text,
  title: Text.annotate({ description: "In the language of the answer" }),
  title_en: Text,
  title_de: Text,
  status: Schema.Literals(incidentStatuses),
  severity: Schema.Literals(severities),
  components: Schema.Array(Text),
  created_at: Time,
  resolved_at: Schema.NullOr(Time),
  updates: Schema.Array(
    Schema.Struct({
      status: Schema.Literals(incidentStatuses),
      message: Text,
      message_en: Text,
      message_de: Text,
      timestamp: Time
    })
  ).annotate({ description: "Oldest first" })
}).annotate({ identifier: "Incident" })

export const MaintenanceView = Schema.Struct({
  id: Text,
  title: Text,
  title_en: Text,
  title_de: Text,
  status: Schema.Literals(["scheduled", "in_progress"]),
  message: Text,
  message_en: Text,
  message_de: Text,
  components: Schema.Array(Text),
  starts_at: Time,
  ends_at: Time
}).annotate({ identifier: "Maintenance" })

const figures = {
  uptime: Schema.NullOr(Percent).annotate({
    description:
      "Percent of the time measured outside maintenance in which the component was operational or degraded; null " +
      "when " +
      "nothing was measured"
  }),
  measured: Percent.annotate({ description: "Percent of the time that was measured" })
}

export const UptimeView = Schema.Struct({
  id: Text,
  ...Names,
  status: Status,
  ...figures,
  days: Schema.Array(Schema.Struct({ date: Text, ...figures, status: Status })).annotate({
    description: "Days in UTC, oldest first; `unknown` without a measurement"
  })
}).annotate({ identifier: "Uptime" })

const lang = {
  lang: Schema.optionalKey(
    Text.annotate({
      description: "Code of an offered language, such as `de` or `en`; else Accept-Language, else English"
    })
  )
}
const whole = (maximum: number) =>
  Schema.FiniteFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 1, maximum }))
const days = { days: Schema.optionalKey(whole(historyDays)) }
const params = { id: Text }

const documented = (summary: string, description?: string) =>
  OpenApi.annotations({ summary, ...(description === undefined ? {} : { description }) })

export const shown = HttpApiGroup.make("shown")
  .add(
    HttpApiEndpoint.get("status", "/status", {
      query: lang,
      success: Schema.Struct({
        status: Status,
        components: Schema.Array(ComponentView),
        incidents: Schema.Array(IncidentView),
        maintenance: Schema.Array(MaintenanceView),
        timestamp: Time
      })
    }).annotateMerge(
      documented(
        "Overall status",
        "Worst status of all components, open incidents and those resolved within 24 hours, active and announced " +
          "maintenance."
      )
    ),
    HttpApiEndpoint.get("components", "/components", {
      query: lang,
      success: Schema.Struct({ components: Schema.Array(ComponentView) })
    }).annotateMerge(documented("All components")),
    HttpApiEndpoint.get("component", "/components/:id", {
      params,
      query: lang,
      success: ComponentView,
      error: NotFound
    }).annotateMerge(documented("One component")),
    HttpApiEndpoint.get("uptimes", "/uptime", {
      query: { ...lang, ...days },
      success: Schema.Struct({ components: Schema.Array(UptimeView), days: Schema.Number })
    }).annotateMerge(documented("Uptime of all components, 90 days by default")),
    HttpApiEndpoint.get("uptime", "/uptime/:id", {
      params,
      query: { ...lang, ...days },
      success: UptimeView,
      error: NotFound
    }).annotateMerge(documented("Uptime of one component")),
    HttpApiEndpoint.get("responseTimes", "/response-times", {
      query: lang,
      success: Schema.Struct({ components: Schema.Array(ResponseTimesView), hours: Schema.Number })
    }).annotateMerge(
      documented(
        "Response times of all components",
        "The last 24 hours by quarter of an hour. A quarter without an answer is absent. The time of a check is that " +
          "of its slowest probe that got an answer."
      )
    ),
    HttpApiEndpoint.get("responseTime", "/response-times/:id", {
      params,
      query: lang,
      success: ResponseTimesView,
      error: NotFound
    }).annotateMerge(documented("Response times of one component")),
    HttpApiEndpoint.get("incidents", "/incidents", {
      query: {
        ...lang,
        limit: Schema.optionalKey(whole(maxIncidents)),
        status: Schema.optionalKey(Schema.Literals(incidentStatuses))
      },
      success: Schema.Struct({ incidents: Schema.Array(IncidentView), total: Schema.Number })
    }).annotateMerge(documented("Incidents, newest first", "`total` counts all incidents with the status.")),
    HttpApiEndpoint.get("incident", "/incidents/:id", {
      params,
      query: lang,
      success: IncidentView,
      error: NotFound
    }).annotateMerge(documented("One incident"))
  )
  .prefix("/api/v1")
  .annotateMerge(
    OpenApi.annotations({
      description:
        "Public: no login, readable by scripts of any page. Answers may be cached for ten seconds and have a " +
        "strong ETag; " +
        "If-None-Match gives 304. Answers are available in gzip and brotli."
    })
  )

export const PublicationApi = Api.make("status-checker").add(shown).add(formats).add(statuspage).add(statusPages)
