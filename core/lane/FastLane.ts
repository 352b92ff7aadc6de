/**
 * The lane for hot answers: a plain function of the node request, found by method and path before any router runs. No
 * schema machinery and no span per request; counted, and failures are logged. For answers that come from memory; what a
 * lane answers when its projection is lost is the daemon's decision, made in its own tested module.
 */
import { Context, Metric } from "effect"
import { constVoid } from "effect/Function"
import type { IncomingMessage, ServerResponse } from "node:http"
import { sendProblem } from "../http/NodeProblem.ts"

/** What a handler gives back when it has done nothing: the request takes the ordinary way. */
export const pass = Symbol("pass")

/**
 * Answers by itself, now or later; a rejected promise becomes a 500. Or leaves the request alone, and says so at once.
 */
export type FastHandler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void> | typeof pass

/**
 * Handlers by `METHOD /exact/path`, by `METHOD /path/:name` for one step below it, or by `METHOD /path/*` for
 * everything below it; an exact one goes first.
 */
export type FastLane = ReadonlyMap<string, FastHandler>

/** Wraps a lane before the slower listener. `report` is told of failures. */
export const before = (
  lane: FastLane,
  report: (path: string, error: unknown) => void,
  next: (request: IncomingMessage, response: ServerResponse) => void
): ((request: IncomingMessage, response: ServerResponse) => void) => {
  if (lane.size === 0) return next
  const taken = Array.from(lane, ([key, handler]): Taken => {
    const [method, path] = [key.slice(0, key.indexOf(" ")), key.slice(key.indexOf(" ") + 1)]
    return { method, path, handler, ...counting(path) }
  })
  const exact = new Map<string | undefined, ReadonlyMap<string, Taken>>(
    Array.from(
      Map.groupBy(taken, ({ method }) => method),
      ([method, ones]) => [method, new Map(ones.map((one) => [one.path, one]))]
    )
  )
  const below = taken
    .filter(({ path }) => belowForm.test(path))
    .map((one) => ({ ...one, start: one.path.replace(belowForm, "/"), deep: one.path.endsWith("/*") }))
  return (request, response) => {
    const url = request.url ?? "/"
    const end = url.indexOf("?")
    const path = end === -1 ? url : url.slice(0, end)
    const found =
      exact.get(request.method)?.get(path) ??
      below.find(
        ({ deep, method, start }) =>
          method === request.method && path.startsWith(start) && (deep || !path.includes("/", start.length))
      )
    if (found === undefined) return next(request, response)
    try {
      const pending = found.handler(request, response)
      if (pending === pass) return next(request, response)
      if (pending !== undefined) pending.catch((error: unknown) => broke(path, error, response, report))
    } catch (error) {
      broke(path, error, response, report)
    }
    // An answer that has been given needs no listener, which costs as much as finding the handler.
    if (response.writableEnded) found.count(response.statusCode)
    else response.on("finish", found.finished)
  }
}

/** Of a key that is no exact path: its last part. */
const belowForm = /\/(?:\*|:\w+)$/

/** A lane by the parts of its key, with what counts its answers. */
interface Taken {
  readonly method: string
  readonly path: string
  readonly handler: FastHandler
  readonly count: (status: number) => void
  readonly finished: (this: ServerResponse) => void
}

const broke = (
  path: string,
  error: unknown,
  response: ServerResponse,
  report: (path: string, error: unknown) => void
) => {
  report(path, error)
  if (!response.headersSent) sendProblem(response, 500)
  else response.destroy()
}

/**
 * Counts a lane's answers. One function for all requests of a lane and one series for each status it answered, which is
 * read when somebody asks for it: making them anew, or telling the registry each time, costs as much as the answer.
 * Paths are the lane's own keys, so there are as many series as lanes and statuses.
 */
const counting = (path: string): Pick<Taken, "count" | "finished"> => {
  const mine = new Map<number, Cell>()
  const count = (status: number) => {
    let cell = mine.get(status)
    if (cell === undefined) {
      cell = cellOf(path, status)
      mine.set(status, cell)
    }
    cell.count++
  }
  return {
    count,
    finished() {
      count(this.statusCode)
    }
  }
}

interface Cell {
  count: number
}

/** Of the process: daemons in it may have lanes of the same path. */
const cells = new Map<string, Cell>()

const cellOf = (path: string, status: number): Cell => {
  const key = `${status} ${path}`
  const known = cells.get(key)
  if (known !== undefined) return known
  const cell = { count: 0 }
  cells.set(key, cell)
  const counter = Metric.counter("fast_lane_answers_total", {
    description: "Requests answered by the fast lane",
    attributes: { path, status: String(status) }
  })
  Metric.registerUnsafe(counter, Context.empty(), {
    get: () => ({ count: cell.count, incremental: false }),
    update: constVoid,
    modify: constVoid
  })
  return cell
}
