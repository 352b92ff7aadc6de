/**
 * Descriptions in API documents of operations that have none of their own: words by form (one resource, a list, a
 * removal), words of single operations, and who may call an operation. Pure.
 */
import { Context } from "effect"
import { HttpApi } from "effect/http-api"
import { ProviderOnly, Requires, UsersOnly } from "../auth/Permissions.ts"
import { operationWords } from "./OperationWords.ts"

/** Who may call an operation, in a sentence. By method and path, such as `GET /api/v1/users/{id}`. */
export type Access = ReadonlyMap<string, string>

/** The access of each operation, from the annotations of its endpoint and group. */
export const accessOf = (api: HttpApi.Top): Access => {
  const access = new Map<string, string>()
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) => {
      const annotations = Context.merge(group.annotations, endpoint.annotations)
      const permission = Context.get(annotations, Requires)
      const parts = [
        ...(permission === undefined ? [] : [`Requires the permission \`${permission}\`.`]),
        ...(Context.get(annotations, UsersOnly) ? ["Only for people; service tokens are refused."] : []),
        ...(Context.get(annotations, ProviderOnly) ? ["Only for the provider, not for customers."] : [])
      ]
      if (parts.length > 0) access.set(keyOf(endpoint.method, endpoint.path), parts.join(" "))
    }
  })
  return access
}

/** Key of an operation. `path`: with parameters as `:id` or `{id}`. */
export const keyOf = (method: string, path: string): string =>
  `${method.toUpperCase()} ${path.replace(/:(\w+)/g, "{$1}").replace(/(.)\/$/, "$1")}`

/** Description of an operation without words of its own. `lists`: whether its answer has pages. */
export const wordsOf = (method: string, path: string, lists: boolean): string | undefined => {
  const own = operationWords[keyOf(method, path)]
  if (own !== undefined) return own
  if (lists)
    return "Pages hold at most `limit` items. `next_before` of an answer asks for the next page; null at the end."
  if (method.toUpperCase() === "DELETE")
    return "Takes effect at once and cannot be undone. A repeated request is answered 404."
  if (method.toUpperCase() === "GET" && path.endsWith("}"))
    return "An identifier that does not exist, or that belongs to another tenant, is answered 404."
  return undefined
}
