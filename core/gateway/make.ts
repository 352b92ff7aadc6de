/**
 * The gateway of `signalbox up`: a node listener that passes every request and upgrade through the chain, then to the
 * daemon in this process. Chain.ts decides. Requests are not proxied over a connection.
 */
import { Effect } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { type NodeListener, type UpgradeListener } from "../http/Listener.ts"
import { clientAddress } from "../http/ClientAddress.ts"
import { rawProblem, sendProblem } from "../http/NodeProblem.ts"
import { forDaemon } from "../log/Log.ts"
import * as Metrics from "../metrics/Metrics.ts"
import { decide, type Facts, type State } from "./Chain.ts"
import type { Gateway } from "./Gateway.ts"
import { clashes } from "./MergedApi.ts"
import * as OwnPages from "./OwnPages.ts"
import * as RouteTable from "./RouteTable.ts"

const refusals = Metrics.counter("gateway_refusals_total", {
  daemon: "gateway",
  help: "Requests that the gateway refused before they reached a daemon, by status.",
  labels: ["status"]
})

/** The gateway for `Suite.start`. Daemons with conflicting paths or names are a defect that ends the start. */
export const gateway: Gateway = {
  start: Effect.fnUntraced(function* (options) {
    const wrong = [...RouteTable.problems(options.fleet), ...clashes(options.fleet.filter((daemon) => !daemon.ownPort))]
    if (wrong.length > 0) return yield* Effect.die(new Error(`the daemons conflict: ${wrong.join("; ")}`))
    const pages = yield* OwnPages.make(options)
    const state: State = {
      banned: options.entrance.banned,
      limit: options.entrance.limit,
      table: RouteTable.mounted(RouteTable.rows(options.fleet)),
      isRunning: (name) => options.running(name) !== undefined
    }
    return entrances(state, options.running, pages)
  }, forDaemon("gateway"))
}

type Pages = (path: string, request: IncomingMessage, response: ServerResponse) => void

const entrances = (
  state: State,
  running: (
    name: string
  ) => { readonly listener: NodeListener; readonly upgrade: UpgradeListener | undefined } | undefined,
  pages: Pages
): { readonly listener: NodeListener; readonly upgrade: UpgradeListener } => ({
  listener: (request, response) => {
    const step = decide(factsOf(request, false), state)
    if (step._tag === "Refuse") {
      count(step.status)
      return sendProblem(response, step.status, step.detail, step.headers)
    }
    for (const name in step.headers) response.setHeader(name, step.headers[name]!)
    if (step._tag === "Own") return pages(step.path, request, response)
    running(step.daemon)!.listener(request, response)
  },
  upgrade: (request, socket, head) => {
    const step = decide(factsOf(request, true), state)
    const refuse = (...problem: Parameters<typeof rawProblem>) => {
      count(problem[0])
      socket.end(rawProblem(...problem))
    }
    if (step._tag === "Refuse") return refuse(step.status, step.detail, step.headers)
    const upgrade = step._tag === "Forward" ? running(step.daemon)!.upgrade : undefined
    // The daemon accepts no upgrades.
    if (upgrade === undefined) return refuse(404, undefined, step.headers)
    upgrade(request, socket, head)
  }
})

const factsOf = (request: IncomingMessage, upgrade: boolean): Facts => {
  const url = request.url ?? "/"
  const end = url.indexOf("?")
  const { headers } = request
  return {
    client: clientAddress(request),
    method: request.method ?? "GET",
    path: end === -1 ? url : url.slice(0, end),
    // The listener has removed this header unless a trusted proxy set it.
    secure:
      String(headers["x-forwarded-proto"] ?? "")
        .split(",", 1)[0]!
        .trim() === "https",
    credentials: (headers["x-service-token"] ?? "") !== "" || /^bearer +\S/i.test(headers.authorization ?? ""),
    upgrade,
    now: Date.now()
  }
}

const count = (status: number | string) => refusals.add({ status: String(status) })
