/**
 * Calls an endpoint by its name: `call("GET /api/v1/notifications", { query: { limit: 50 } })`. It adds the access
 * token, and renews an expired token and repeats the call once. An error response rejects with a `Problem`.
 */
import type { Answer, EndpointName, Options } from "./Endpoints.ts"
import { Problem, problemOf } from "./Problem.ts"
import { renew, token } from "./Session.ts"

/** Limit for an answer. Unit: milliseconds. Reason: no endpoint takes longer. */
const patience = 30_000

/** Path and query of a call. Pure. */
export const address = (
  name: string,
  params: Readonly<Record<string, unknown>> = {},
  query: Readonly<Record<string, unknown>> = {}
): string => {
  const path = name
    .slice(name.indexOf(" ") + 1)
    .replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(String(params[key])))
  const search = new URLSearchParams(
    Object.entries(query)
      .filter(([, value]) => value !== undefined && value !== "")
      .map(([key, value]) => [key, String(value)])
  )
  return search.size === 0 ? path : `${path}?${search}`
}

/** Options may be omitted when the endpoint requires none. */
type Given<Name extends EndpointName> = {} extends Options<Name> ? [Options<Name>?] : [Options<Name>]

/** Resolves with the body of a success; undefined for an empty one. */
export const call = async <const Name extends EndpointName>(
  name: Name,
  ...[options]: Given<Name>
): Promise<Answer<Name>> => {
  const { params, payload, query } = (options ?? {}) as {
    params?: Record<string, unknown>
    payload?: unknown
    query?: Record<string, unknown>
  }
  const headers: Record<string, string> = payload === undefined ? {} : { "content-type": "application/json" }
  const response = await request(address(name, params, query), {
    method: name.slice(0, name.indexOf(" ")),
    headers,
    ...(payload === undefined ? {} : { body: JSON.stringify(payload) })
  })
  if (response.status === 204) return undefined as unknown as Answer<Name>
  const type = response.headers.get("content-type") ?? ""
  return (type.includes("json") ? await response.json() : await response.text()) as Answer<Name>
}

/** Like `call` for an address without a JSON endpoint, such as a download; resolves with the response. */
export const request = async (path: string, init: RequestInit = {}): Promise<Response> => {
  const first = await send(path, init)
  if (first.status !== 401 || token.value === undefined) return await orProblem(first)
  return (await renew()) ? await orProblem(await send(path, init)) : await orProblem(first)
}

const orProblem = async (response: Response): Promise<Response> => {
  if (!response.ok) throw await problemOf(response)
  return response
}

const send = (path: string, init: RequestInit): Promise<Response> =>
  fetch(path, {
    ...init,
    headers: {
      // The language of the page (Language.ts), for the texts of problems. The browser's own header may name another.
      "accept-language": document.documentElement.lang,
      ...(init.headers as Record<string, string>),
      ...(token.value === undefined ? {} : { authorization: `Bearer ${token.value}` })
    },
    signal: init.signal ?? AbortSignal.timeout(patience)
  }).catch((error: unknown) => {
    if (init.signal?.aborted === true) throw error
    throw new Problem(0, "unreachable", "The server does not answer.")
  })
