/**
 * Methods of a path, read from the API declarations, because the router only reports that it found nothing. Pure.
 */
import type { HttpApi } from "effect/http-api"
import { top } from "./Api.ts"

/** Every endpoint of an API, as method and path template (`/things/:id`). */
export const endpointsOf = (
  api: HttpApi.Constraint
): ReadonlyArray<{ readonly method: string; readonly path: string; readonly group: string }> =>
  Object.entries(top(api).groups).flatMap(([group, { endpoints }]) =>
    Object.values(endpoints).map(({ method, path }) => ({ method, path, group }))
  )

/** Returns the methods of a path (without query), HEAD with every GET; empty when no endpoint has it. */
export const allowed = (
  endpoints: ReadonlyArray<{ readonly method: string; readonly path: string }>
): ((path: string) => ReadonlyArray<string>) => {
  const shapes = endpoints.map(({ method, path }) => ({ method, shape: shapeOf(path) }))
  return (path) => {
    const methods = new Set(shapes.filter(({ shape }) => shape.test(path)).map(({ method }) => method))
    return [...methods, ...(methods.has("GET") && !methods.has("HEAD") ? ["HEAD"] : [])].sort()
  }
}

/** Pattern of the paths that fit a template. */
export const shapeOf = (template: string): RegExp =>
  new RegExp(
    `^${template
      .split("/")
      .map((part) =>
        part === "*" ? ".*" : part.startsWith(":") ? "[^/]+" : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
      )
      .join("/")}$`
  )
