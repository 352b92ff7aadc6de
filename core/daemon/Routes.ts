/**
 * Derives the path prefixes of a daemon from its endpoints. The gateway and the printed proxy configurations dispatch
 * by them. Pure.
 */
import type { HttpApi } from "effect/http-api"
import { Authentication } from "../auth/Authentication.ts"
import { top } from "../http/Api.ts"
import type { Route } from "./Feature.ts"

/**
 * One route per group of endpoints: their longest common path. `authenticated` is set when every endpoint below that
 * path, of any group, needs credentials. `declared`: routes that a feature declares itself (fast lane, WebSockets,
 * uploads); they take precedence.
 */
export const routesOf = (
  apis: ReadonlyArray<HttpApi.Constraint>,
  declared: ReadonlyArray<Route>
): ReadonlyArray<Route> => {
  const endpoints = apis.flatMap(endpointsOf)
  const prefixes = new Set(
    Array.from(Map.groupBy(endpoints, ({ group }) => group).values(), (all) =>
      prefixesOf(all.map(({ path }) => path))
    ).flat()
  )
  const derived = Array.from(prefixes, (prefix): Route => {
    const authenticated = endpoints
      .filter(({ path }) => isBelow(path, prefix))
      .every((endpoint) => endpoint.authenticated)
    return { prefix, ...(authenticated ? { authenticated } : {}) }
  })
  const stated = new Set(declared.map(({ prefix }) => prefix))
  return withoutCovered([...declared, ...derived.filter(({ prefix }) => !stated.has(prefix))])
}

/** Drops a route below another route with the same properties. */
const withoutCovered = (routes: ReadonlyArray<Route>): ReadonlyArray<Route> =>
  routes.filter((route) => {
    const above = routes
      .filter((other) => other !== route && isBelow(route.prefix, other.prefix))
      .sort((a, b) => b.prefix.length - a.prefix.length)[0]
    return above === undefined || !isSame(above, route)
  })

const isSame = (a: Route, b: Route): boolean =>
  (a.authenticated ?? false) === (b.authenticated ?? false) &&
  (a.rateLimited ?? true) === (b.rateLimited ?? true) &&
  a.maxBody === b.maxBody

/** Whether `path` is the prefix or below it. */
export const isBelow = (path: string, prefix: string): boolean =>
  prefix === "/" || path === prefix || path.startsWith(`${prefix}/`)

interface Endpoint {
  readonly group: string
  /** Path up to its first parameter. */
  readonly path: string
  readonly authenticated: boolean
}

const endpointsOf = (api: HttpApi.Constraint): ReadonlyArray<Endpoint> =>
  Object.values(top(api).groups).flatMap((group) =>
    Object.values(group.endpoints).map((endpoint) => ({
      group: group.identifier,
      path: endpoint.path.replace(/\/[:*].*$/, "") || "/",
      authenticated: endpoint.middlewares.has(Authentication)
    }))
  )

/** Prefixes that are too general for a route, because several areas share them. */
const shared = ["/", "/api", "/api/v1", "/.well-known"]

/** The longest common path. When that path is shared with other areas, all paths. */
const prefixesOf = (paths: ReadonlyArray<string>): ReadonlyArray<string> => {
  const common = paths.reduce((all, path) => {
    const [a, b] = [all.split("/"), path.split("/")]
    const end = a.findIndex((segment, index) => segment !== b[index])
    return (end === -1 ? a : a.slice(0, end)).join("/")
  })
  return common === "" || shared.includes(common) ? paths : [common]
}
