/** Maps path and query to the answer to write. Pure. Most answers are written at their first request. */
import type { FieldProblem } from "#core/http/Problem.ts"
import { historyDays, type Snapshot } from "../status/Model.ts"
import type { LanguageCode } from "#core/words/TextMemory.ts"
import type { PageBrand } from "./pages/Page.ts"
import { statusPage, statusPageHeaders } from "./pages/StatusPage.ts"
import { incidentStatuses, type IncidentStatus } from "../status/Vocabulary.ts"
import { badge, badgeType } from "./Badge.ts"
import { feed, feedType } from "./Feed.ts"
import type { Document } from "./Rendered.ts"
import * as Shapes from "./Shapes.ts"
import { type Part, statuspage, type Wanted } from "./Statuspage.ts"

/** What the settings of the moment say. */
export interface Site {
  /** Address of the page, without a final slash. */
  readonly base: string
  /** Whether mail is configured, so that people can subscribe. */
  readonly subscribable: boolean
  readonly brand: PageBrand
}

/** Recipe of one answer. */
export interface Plan {
  /** Identifies the answer in the cache. */
  readonly key: string
  /** Undefined when the requested item does not exist. */
  readonly write: (snapshot: Snapshot, language: LanguageCode, site: Site) => Document | undefined
}

/** Chooses the plan of a path by its query, or returns the query's problems. */
export type Planner = (query: URLSearchParams, rest: string) => Plan | ReadonlyArray<FieldProblem>

const json = (key: string, make: (snapshot: Snapshot, language: LanguageCode, site: Site) => unknown): Plan => ({
  key,
  write: (snapshot, language, site) => {
    const made = make(snapshot, language, site)
    return made === undefined ? undefined : { type: "application/json", body: JSON.stringify(made), language }
  }
})

export const page: Plan = {
  key: "page",
  write: (snapshot, language, { brand, subscribable }) => ({
    type: "text/html; charset=utf-8",
    body: statusPage(snapshot, language, { brand, subscribable }),
    language,
    headers: statusPageHeaders,
    page: true
  })
}

export const status: Plan = json("status", Shapes.status)

/** Whole number from 1 to `maximum`; `otherwise` when the parameter is absent. */
const whole = (query: URLSearchParams, name: string, maximum: number, otherwise: number): number | FieldProblem => {
  const text = query.get(name)
  if (text === null) return otherwise
  const number = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN
  return number >= 1 && number <= maximum
    ? number
    : { field: `query.${name}`, message: `Expected a whole number from 1 to ${maximum}` }
}

const wantedStatus = (query: URLSearchParams): IncidentStatus | FieldProblem | undefined => {
  const text = query.get("status")
  if (text === null) return undefined
  return (
    incidentStatuses.find((one) => one === text) ?? {
      field: "query.status",
      message: `Expected one of ${incidentStatuses.join(", ")}`
    }
  )
}

const isProblem = (value: unknown): value is FieldProblem => typeof value === "object"

const incidents: Planner = (query) => {
  const [limit, wanted] = [whole(query, "limit", Shapes.maxIncidents, Shapes.maxIncidents), wantedStatus(query)]
  const problems = [limit, wanted].filter(isProblem)
  return problems.length > 0
    ? problems
    : json(`incidents ${limit} ${wanted}`, (snapshot, language) =>
        Shapes.incidents(snapshot, language, limit as number, wanted as IncidentStatus | undefined)
      )
}

const oneUptime: Planner = (query, id) => {
  const days = whole(query, "days", historyDays, historyDays)
  return isProblem(days)
    ? [days]
    : json(`uptime ${days} ${id}`, (snapshot, language) => Shapes.oneUptime(snapshot, language, id, days))
}

const uptime: Planner = (query) => {
  const days = whole(query, "days", historyDays, historyDays)
  return isProblem(days)
    ? [days]
    : json(`uptimes ${days}`, (snapshot, language) => Shapes.uptime(snapshot, language, days))
}

const responseTimes = json("response times", Shapes.responseTimes)

const oneResponseTimes: Planner = (_, id) =>
  json(`response times ${id}`, (snapshot, language) => Shapes.oneResponseTimes(snapshot, language, id))

const oneComponent: Planner = (_, id) =>
  json(`component ${id}`, (snapshot, language) => {
    const found = snapshot.components.find(({ component }) => component.id === id)
    return found && Shapes.component(found, language)
  })

const oneIncident: Planner = (_, id) =>
  json(`incident ${id}`, (snapshot, language) => {
    const found = snapshot.incidents.find((one) => one.id === id)
    return found && Shapes.incident(found, language)
  })

const like = (name: string, wanted: Wanted): readonly [string, Planner] => {
  const plan = json(`v2 ${name}`, (snapshot, language, { base }) => statuspage(snapshot, language, base, wanted))
  return [`/api/v2/${name}.json`, () => plan]
}

const all: ReadonlyArray<Part> = ["components", "incidents", "scheduled_maintenances", "status"]

const svg = (
  key: string,
  of: (snapshot: Snapshot) => Pick<Snapshot["components"][number], "component" | "status"> | Snapshot | undefined
): Plan => ({
  key,
  write: (snapshot, language) => {
    const found = of(snapshot)
    if (found === undefined) return undefined
    const label = "component" in found ? (language === "de" ? found.component.name : found.component.name_en) : "Status"
    return {
      type: badgeType,
      body: badge(label, found.status, language),
      language,
      headers: { "content-security-policy": "default-src 'none'" }
    }
  }
})

const overallBadge = svg("badge", (snapshot) => snapshot)

const oneBadge: Planner = (_, name) => {
  const id = name.endsWith(".svg") ? name.slice(0, -".svg".length) : undefined
  return svg(`badge ${id}`, ({ components }) => components.find(({ component }) => component.id === id))
}

const components = json("components", Shapes.components)

const atom: Plan = {
  key: "feed",
  write: (snapshot, language, { base }) => ({ type: feedType, body: feed(snapshot, language, base), language })
}

/** By path. The `*` at the end of a path stands for one more segment, which the planner receives. */
export const planners: ReadonlyMap<string, Planner> = new Map<string, Planner>([
  ["/", () => page],
  ["/api/v1/status", () => status],
  ["/api/v1/components", () => components],
  ["/api/v1/components/*", oneComponent],
  ["/api/v1/uptime", uptime],
  ["/api/v1/uptime/*", oneUptime],
  ["/api/v1/response-times", () => responseTimes],
  ["/api/v1/response-times/*", oneResponseTimes],
  ["/api/v1/incidents", incidents],
  ["/api/v1/incidents/*", oneIncident],
  like("summary", { parts: all }),
  like("status", { parts: ["status"] }),
  like("components", { parts: ["components"] }),
  like("incidents", { parts: ["incidents"], resolved: true }),
  like("incidents/unresolved", { parts: ["incidents"] }),
  like("scheduled-maintenances", { parts: ["scheduled_maintenances"] }),
  like("scheduled-maintenances/active", { parts: ["scheduled_maintenances"], maintenance: "active" }),
  like("scheduled-maintenances/upcoming", { parts: ["scheduled_maintenances"], maintenance: "upcoming" }),
  ["/feed.atom", () => atom],
  ["/badge.svg", () => overallBadge],
  ["/badge/*", oneBadge]
])
