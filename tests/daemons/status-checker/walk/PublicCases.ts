/** What the walks do with each operation that is everybody's. */
import { type Cases, open, type Request } from "#support/walk/Case.ts"

/**
 * Whoever asks for no language of ours gets theirs by the browser's wish, and of a number asked for twice the first
 * counts.
 */
const lenient = (query: Readonly<Record<string, string | number>>) => [
  { input: "query.lang: *", why: "another language falls to the usual one" },
  ...Object.keys(query)
    .filter((name) => typeof query[name] === "number")
    .map((name) => ({ input: `query.${name}: twice`, why: "the first counts" }))
]

const shown = (path: string, query: Readonly<Record<string, string | number>> = {}) => ({
  [`GET ${path}`]: open("the page is public", {
    request: () => ({ query: { lang: "de", ...query } }),
    success: 200,
    freeText: ["query.lang"],
    except: lenient(query)
  })
})

const one = (path: string, key: string, value: string, query: Readonly<Record<string, string | number>> = {}) => ({
  [`GET ${path}`]: open("the page is public", {
    request: () => ({ path: { [key]: value }, query: { lang: "de", ...query } }),
    success: 200,
    freeText: ["query.lang", `path.${key}`],
    except: lenient(query)
  })
})

/**
 * What says in pages, and not in problems, what is wrong: walked as far as that it is open (`OptIn.test.ts` has the
 * rest).
 */
export const forPeople = "pages for people"
const page = (method: string, path: string, success: number, request: Request = {}) => ({
  [`${method} ${path}`]: open(forPeople, { request: () => request, success })
})

export const publicCases: Cases = {
  ...shown("/"),
  ...shown("/feed.atom"),
  ...shown("/badge.svg"),
  ...one("/badge/{file}", "file", "webmail.svg"),
  "GET /api/docs": open("documentation", { success: 200 }),
  "GET /api/openapi.json": open("documentation", { success: 200 }),
  ...shown("/api/v1/status"),
  ...shown("/api/v1/components"),
  ...one("/api/v1/components/{id}", "id", "webmail"),
  ...shown("/api/v1/uptime", { days: 30 }),
  ...one("/api/v1/uptime/{id}", "id", "webmail", { days: 30 }),
  ...shown("/api/v1/response-times"),
  ...one("/api/v1/response-times/{id}", "id", "webmail"),
  ...shown("/api/v1/incidents", { limit: 10, status: "resolved" }),
  ...one("/api/v1/incidents/{id}", "id", "by-hand"),
  "POST /api/v1/subscribe": open("whoever wants to be told", {
    request: () => ({
      query: { lang: "de" },
      body: { email: "anna@example.org", lang: "de", components: ["webmail"] }
    }),
    success: 202,
    freeText: ["query.lang"],
    except: [{ input: "query.lang: NUL", why: "another language falls to the usual one" }]
  }),
  ...page("GET", "/subscribe", 200),
  ...page("POST", "/subscribe", 200, { form: { email: "berta@example.org", lang: "de" } }),
  ...page("GET", "/subscribe/confirm", 410, { query: { token: "none" } }),
  ...page("POST", "/subscribe/confirm", 410, { query: { token: "none" } }),
  ...page("GET", "/unsubscribe", 410, { query: { token: "none" } }),
  ...page("POST", "/unsubscribe", 410, { query: { token: "none" } }),
  "GET /history": open("the page is public", {
    request: () => ({ query: { lang: "de", page: "2" } }),
    success: 200,
    freeText: ["query.lang", "query.page"],
    except: [{ input: "query.*: NUL", why: "what is no language or page falls to the usual one" }]
  }),
  // There is no such incident: what it says then is a page all the same.
  "GET /incidents/{id}": open("the page is public", {
    request: () => ({ path: { id: "none" }, query: { lang: "de" } }),
    success: 404,
    freeText: ["query.lang", "path.id"],
    except: [
      { input: "query.lang: NUL", why: "another language falls to the usual one" },
      { input: "path.id: 10 kB", status: 405, why: "longer than any path of ours" },
      { input: "path.id: *", why: "a page for people says that there is none" }
    ]
  }),
  ...shown("/api/v2/summary.json"),
  ...shown("/api/v2/status.json"),
  ...shown("/api/v2/components.json"),
  ...shown("/api/v2/incidents.json"),
  ...shown("/api/v2/incidents/unresolved.json"),
  ...shown("/api/v2/scheduled-maintenances.json"),
  ...shown("/api/v2/scheduled-maintenances/active.json"),
  ...shown("/api/v2/scheduled-maintenances/upcoming.json")
}
