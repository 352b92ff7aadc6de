/**
 * The lane for hot answers: a plain function of the node request, found by method and path before any router runs. No
 * schema machinery and no span per request; counted, and failures are logged. For answers that come from memory; what a
 * lane answers when its projection is lost is the daemon's decision, made in its own tested module.
 */
import { Context, Metric } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { sendProblem } from "./NodeProblem.ts"

/** Answers by itself, now or later; a rejected promise becomes a 500. */
export type FastHandler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

/** Handlers by `METHOD /exact/path`, or by `METHOD /path/*` for everything below it; an exact one goes first. */
export type FastLane = ReadonlyMap<string, FastHandler>

export const answers = Metric.counter("fast_lane_answers_total", { description: "Requests answered by the fast lane" })

/** Wraps a lane before the slower listener. `report` is told of failures. */
export const before = (
  lane: FastLane,
  report: (path: string, error: unknown) => void,
  next: (request: IncomingMessage, response: ServerResponse) => void
): (request: IncomingMessage, response: ServerResponse) => void => {
  if (lane.size === 0) return next
  const below = Array.from(lane).filter(([key]) => key.endsWith("/*")).map(([key, handler]) => ({ key, start: key.slice(0, -1), handler }))
  return (request, response) => {
    const url = request.url ?? "/"
    const end = url.indexOf("?")
    const path = end === -1 ? url : url.slice(0, end)
    const wanted = `${request.method} ${path}`
    const exact = lane.get(wanted)
    const found = exact === undefined ? below.find(({ start }) => wanted.startsWith(start)) : { key: wanted, handler: exact }
    if (found === undefined) return next(request, response)
    const { handler, key } = found
    response.once("finish", () => count(key.slice(key.indexOf(" ") + 1), response.statusCode))
    const fail = (error: unknown) => {
      report(path, error)
      if (!response.headersSent) sendProblem(response, 500)
      else response.destroy()
    }
    try {
      const pending = handler(request, response)
      if (pending !== undefined) pending.catch(fail)
    } catch (error) {
      fail(error)
    }
  }
}

/** Paths are the lane's own keys, so there are as many series as lanes. */
const count = (path: string, status: number) =>
  Metric.withAttributes(answers, { path, status: String(status) }).updateUnsafe(1, Context.empty())
