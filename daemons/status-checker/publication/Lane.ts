/** Fast-lane handlers of the public interface. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { FastHandler, FastLane } from "#core/lane/FastLane.ts"
import { send } from "#core/lane/PreparedAnswer.ts"
import { languageOf, replyHot, replyTo } from "./Answers.ts"
import { page, type Planner, planners, status } from "./Plans.ts"
import { publicHeaders } from "./Rendered.ts"
import type { Shelf } from "./Shelf.ts"

/**
 * Handlers by method and path. `shelf` returns the newest shelf. HEAD is GET without a body; OPTIONS answers preflight
 * requests.
 */
export const lane = (shelf: () => Shelf): FastLane => {
  const lanes = new Map<string, FastHandler>()
  for (const [path, planner] of planners) {
    const answer = answering(shelf, path, planner)
    lanes.set(`GET ${path}`, answer)
    lanes.set(`HEAD ${path}`, answer)
    lanes.set(`OPTIONS ${path}`, preflight)
  }
  return lanes
}

const hot = new Map([
  ["/", page],
  ["/api/v1/status", status]
])

const answering = (shelf: () => Shelf, path: string, planner: Planner): FastHandler => {
  const plan = hot.get(path)
  const start = path.endsWith("*") ? path.length - 1 : path.length
  return (request, response) => {
    const { headers, url = "/" } = request
    // Nearly all requests have no query.
    if (plan !== undefined && url.length === start) {
      const ready = shelf().hot(plan, languageOf(headers))
      if (ready !== undefined) return send(response, replyHot(ready, headers))
    }
    const end = url.indexOf("?")
    const reply = replyTo(shelf(), planner, {
      query: end === -1 ? "" : url.slice(end + 1),
      rest: url.slice(start, end === -1 ? undefined : end),
      headers
    })
    return reply instanceof Promise ? reply.then((found) => send(response, found)) : send(response, reply)
  }
}

/** How long browsers may cache the preflight answer. Unit: seconds. */
const preflightAge = 86_400

const preflightHeaders = [
  "access-control-allow-methods",
  "GET, HEAD",
  "access-control-allow-headers",
  "if-none-match",
  "access-control-max-age",
  String(preflightAge),
  "allow",
  "GET, HEAD, OPTIONS",
  ...publicHeaders
]

const preflight = (_: IncomingMessage, response: ServerResponse): void => {
  response.writeHead(204, preflightHeaders)
  response.end()
}
