/**
 * Metrics of requests: counts and durations, of the router and of the fast lane. Both keep their series, so a request
 * costs two readings of the clock and three additions.
 */
import * as Metrics from "../metrics/Metrics.ts"

/**
 * Upper bounds of the buckets. Unit: seconds. Reason: answers from memory take less than 0.5 ms; a request ends after
 * 30 s.
 */
const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

const durations = Metrics.histogram("http_request_duration_seconds", {
  help: "Time from a request to its answer, by daemon and lane: fast (answers from memory) or router (all others).",
  labels: ["daemon", "lane"],
  bounds
})

const requests = Metrics.counter("http_requests_total", {
  help: "Requests answered by the router, by daemon, method and status.",
  labels: ["daemon", "method", "status"]
})

const fastAnswers = Metrics.counter("fast_lane_answers_total", {
  help: "Requests answered by the fast lane, by daemon, path pattern and status.",
  labels: ["daemon", "path", "status"]
})

/** Counts a request. `begun`: `performance.now()` when it arrived. */
type CountRequest = (status: number, begun: number) => void

const observed = (daemon: string, lane: "fast" | "router", count: (status: number) => Metrics.Count): CountRequest => {
  const duration = durations.of({ daemon, lane })
  const counts = new Map<number, Metrics.Count>()
  return (status, begun) => {
    let mine = counts.get(status)
    if (mine === undefined) {
      mine = count(status)
      counts.set(status, mine)
    }
    mine.add(1)
    duration.observe((performance.now() - begun) / 1_000)
  }
}

/** Methods that are counted by name; strangers may send any word. */
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

/** Counts requests of the router, by method. */
export const ofRouter = (daemon: string): ((method: string) => CountRequest) => {
  const series = (method: string) =>
    observed(daemon, "router", (status) => requests.of({ daemon, method, status: String(status) }))
  const known = new Map(methods.map((method) => [method, series(method)]))
  const other = series("other")
  return (method) => known.get(method) ?? other
}

/** Counts the answers of one key of the fast lane. `path`: the key's path. */
export const ofLane = (daemon: string, path: string): CountRequest =>
  observed(daemon, "fast", (status) => fastAnswers.of({ daemon, path, status: String(status) }))
