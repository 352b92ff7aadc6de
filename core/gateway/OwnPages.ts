/**
 * Endpoints of the gateway itself: health of all daemons, readiness, metrics, the merged API document and its page, and
 * the front page. Chain.ts decides who may access them.
 */
import { Cause, Effect } from "effect"
import { OpenApi } from "effect/http-api"
import type { IncomingMessage, ServerResponse } from "node:http"
import { publicReport, type Verdict, worst } from "../daemon/Health.ts"
import { HealthAccess, refusalDetail } from "../daemon/HealthAccess.ts"
import { reportFor } from "../daemon/HealthLanguage.ts"
import type { NodeListener } from "../http/Listener.ts"
import { top } from "../http/Api.ts"
import * as DocsPage from "../http/DocsPage.ts"
import { sendProblem } from "../http/NodeProblem.ts"
import { contentType as metricsType } from "../metrics/Metrics.ts"
import * as Scrape from "../metrics/Scrape.ts"
import * as FrontPage from "./FrontPage.ts"
import type { GatewayOptions } from "./Gateway.ts"
import { merge } from "./MergedApi.ts"

const htmlText = "text/html; charset=utf-8"

/** Answers one of the gateway's own paths (see RouteTable.ts and Chain.ts). */
export const make = (
  options: GatewayOptions
): Effect.Effect<(path: string, ...pair: Parameters<NodeListener>) => void, never, HealthAccess> =>
  Effect.gen(function* () {
    const context = yield* Effect.context<never>()
    const access = yield* HealthAccess
    const behind = options.fleet.filter((daemon) => !daemon.ownPort)
    const api = merge(behind)
    const hasConsole = behind.some(({ routes }) => routes.some(({ prefix }) => prefix === "/console"))
    const guide = hasConsole ? FrontPage.guidePath : undefined
    // Built at the first request, because merging all documents would slow down the start.
    const document = yield* Effect.cached(Effect.sync(() => JSON.stringify(OpenApi.fromApi(top(api)))))
    const docs = yield* Effect.cached(Effect.map(document, (text) => DocsPage.render(JSON.parse(text), guide)))

    /** Verdict of each daemon. */
    const verdicts = Effect.forEach(
      options.fleet,
      (daemon) =>
        Effect.map(
          options.running(daemon.name)?.health.verdict ?? Effect.succeed("down" as const),
          (status) => [daemon.name, status] as const
        ),
      { concurrency: "unbounded" }
    )
    /** The fresh verdict of each daemon, with the address of its report. */
    const health = Effect.map(
      Effect.forEach(
        options.fleet,
        (daemon) => {
          const running = options.running(daemon.name)
          const status =
            running === undefined
              ? Effect.succeed("down" as const)
              : Effect.map(running.health.report, (report) => report.status)
          return Effect.map(status, (status) => [daemon.name, { status, href: `/health/${daemon.name}` }] as const)
        },
        { concurrency: "unbounded" }
      ),
      (daemons) => ({ status: worst(daemons.map(([, daemon]) => daemon.status)), daemons: Object.fromEntries(daemons) })
    )
    const ready = Effect.map(
      Effect.forEach(options.fleet, (daemon) => options.running(daemon.name)?.health.ready ?? Effect.succeed(false), {
        concurrency: "unbounded"
      }),
      (all) => all.every(Boolean)
    )

    const sendReport = (response: ServerResponse, report: { readonly status: Verdict }): void =>
      send(response, report.status === "down" ? 503 : 200, "application/json", JSON.stringify(report))

    const answer = (path: string, request: IncomingMessage, response: ServerResponse): Effect.Effect<void> => {
      if (path === "/ready") {
        return Effect.map(ready, (ready) =>
          ready
            ? send(response, 200, "application/json", JSON.stringify({ ready }))
            : sendProblem(response, 503, "Not ready yet.")
        )
      }
      if (path === "/docs") return Effect.map(docs, (text) => send(response, 200, htmlText, text))
      if (path === "/openapi.json") return Effect.map(document, (text) => send(response, 200, "application/json", text))
      if (path === "/") {
        return Effect.map(verdicts, (statuses) => {
          response.setHeader("content-security-policy", FrontPage.policy)
          const known = new Map(statuses)
          const rows = options.fleet.map((daemon) => ({
            name: daemon.name,
            title: daemon.title,
            status: known.get(daemon.name)!,
            paths: daemon.routes
              .filter((route) => !daemon.ownPort || route.atGateway === true)
              .map((route) => route.prefix)
          }))
          send(response, 200, htmlText, FrontPage.render(rows))
        })
      }
      const daemon = options.fleet.find((daemon) => `/health/${daemon.name}` === path)
      if (path !== "/health" && path !== "/metrics" && daemon === undefined)
        return Effect.sync(() => sendProblem(response, 404))
      return Effect.flatMap(access.readerOf(request), (reader) => {
        if (reader === "refused" || (path === "/metrics" && reader === "verdict"))
          return Effect.sync(() => sendProblem(response, 401, refusalDetail))
        if (path === "/metrics") return Effect.map(Scrape.text, (text) => send(response, 200, metricsType, text))
        if (reader === "verdict")
          return Effect.map(verdicts, (statuses) =>
            sendReport(
              response,
              publicReport(daemon === undefined ? statuses : statuses.filter(([name]) => name === daemon.name))
            )
          )
        if (daemon === undefined) return Effect.map(health, (report) => sendReport(response, report))
        const running = options.running(daemon.name)
        return running === undefined
          ? Effect.sync(() => sendProblem(response, 503, `${daemon.name} is being restarted.`, { "retry-after": "1" }))
          : Effect.map(running.health.report, (report) => sendReport(response, reportFor(request.headers, report)))
      })
    }

    return (path, request, response) => {
      Effect.runForkWith(context)(
        Effect.catchCause(answer(path, request, response), (cause) =>
          Cause.hasInterruptsOnly(cause)
            ? Effect.void
            : Effect.andThen(
                Effect.logError(`${path} broke`, cause),
                Effect.sync(() => sendProblem(response, 500))
              )
        )
      )
    }
  })

const send = (response: ServerResponse, status: number, type: string, text: string): void => {
  response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(text) })
  response.end(text)
}
