/**
 * HTTP of one daemon: its endpoints, the system endpoints of every daemon, problem details for all errors, the fast
 * lane in front, and before all of them the declared spelling of each request target (RequestTargets.ts). The result is
 * a node listener for a port or for the gateway.
 */
import { NodeHttpServer, NodeHttpServerRequest } from "@effect/platform-node"
import { Cause, Effect, type Scope } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { type HttpApi, HttpApiError, OpenApi } from "effect/http-api"
import type { IncomingMessage } from "node:http"
import { Health, publicReport, type Verdict } from "../daemon/Health.ts"
import { HealthAccess, refusalDetail } from "../daemon/HealthAccess.ts"
import { reportFor } from "../daemon/HealthLanguage.ts"
import { top } from "./Api.ts"
import type { BodyBound } from "./BodyBounds.ts"
import * as DocsPage from "./DocsPage.ts"
import { forRequest } from "../gateway/SecurityHeaders.ts"
import * as FastLane from "../lane/FastLane.ts"
import { CurrentDaemon } from "../metrics/CurrentDaemon.ts"
import { contentType as metricsType } from "../metrics/Metrics.ts"
import * as Scrape from "../metrics/Scrape.ts"
import type { NodeListener } from "./Listener.ts"
import { allowed, endpointsOf } from "./Methods.ts"
import * as Problem from "./Problem.ts"
import { responseIn } from "./ProblemLanguage.ts"
import * as RequestMetrics from "./RequestMetrics.ts"
import * as RequestTargets from "./RequestTargets.ts"
import * as ByteSize from "effect/ByteSize"

/** Builds the listener. `api` names the methods of a path; `router` holds the routes of all features. */
export const make = (options: {
  readonly api: HttpApi.Constraint
  readonly router: HttpRouter.HttpRouter
  readonly fastLane: FastLane.FastLane
  /**
   * Whether to add the security headers here, because no gateway does. Answers of the fast lane
   * contain these headers already, because adding them to each answer takes time.
   */
  readonly guarded?: boolean
  /** Largest body by request target. A body without declared length is counted while it is read. */
  readonly maxBody: BodyBound
}): Effect.Effect<NodeListener, never, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const context = yield* Effect.context<never>()
    const daemon = yield* CurrentDaemon
    const further = [
      ...systemPaths.map((path) => ({ method: "GET", path })),
      ...Array.from(options.fastLane.keys(), (key) => ({ method: key.split(" ")[0]!, path: key.split(" ")[1]! }))
    ]
    const methods = allowed([...endpointsOf(options.api), ...further])
    const answered = options.router.asHttpEffect().pipe(
      Effect.map(asProblem),
      Effect.catchCause((cause) => fromCause(cause, methods)),
      inLanguage,
      counted(RequestMetrics.ofRouter(daemon)),
      bounded(options.maxBody)
    )
    const listener = yield* NodeHttpServer.makeHandler(answered, { scope })
    const runFork = Effect.runForkWith(context)
    const declared = RequestTargets.make(
      options.api,
      further.map(({ path }) => path)
    )
    const answer = FastLane.before(
      { lane: options.fastLane, daemon },
      (path, error) => runFork(Effect.logError(`fast lane ${path} broke`, error)),
      options.guarded === true ? secured(listener) : listener
    )
    return (request, response) => {
      const spelled = declared(request.method ?? "GET", request.url ?? "/")
      if (spelled !== undefined) {
        request.url = spelled.target
        if (spelled.limit !== undefined) response.setHeader(RequestTargets.limitHeader, String(spelled.limit))
      }
      return answer(request, response)
    }
  })

const secured =
  (listener: NodeListener): NodeListener =>
  (request, response) => {
    const path = (request.url ?? "/").split("?", 1)[0]!
    const secure =
      String(request.headers["x-forwarded-proto"] ?? "")
        .split(",", 1)[0]!
        .trim() === "https"
    const headers = forRequest(path, secure)
    for (const name in headers) response.setHeader(name, headers[name]!)
    listener(request, response)
  }

/** Problems in the language of the caller. */
const inLanguage = <E, R>(answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
    Effect.map(answer, (response) => responseIn(headers, response))
  )

const bounded =
  (maxBody: BodyBound) =>
  <A, E, R>(answer: Effect.Effect<A, E, R>) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) =>
      Effect.provideService(answer, HttpIncomingMessage.MaxBodySize, ByteSize.bytes(maxBody(url)))
    )

const counted =
  (countOf: ReturnType<typeof RequestMetrics.ofRouter>) =>
  <E, R>(answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ method }) => {
      const begun = performance.now()
      return Effect.tap(answer, ({ status }) => Effect.sync(() => countOf(method)(status, begun)))
    })

/** Adds a problem body to error answers without one, such as the router's bare 404 or 415. */
const asProblem = (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse => {
  if (response.status < 400) return response
  const type = response.body._tag === "Empty" ? undefined : response.body.contentType
  // Other bodies are kept: problem details, JSON, and HTML pages of the daemon. The router's own errors have no body.
  const own = type === Problem.contentType || type === "application/json" || type?.startsWith("text/html")
  return own ? response : bare(response.status)
}

const bare = (status: number) =>
  Problem.response(status in known ? (status as Problem.BareStatus) : status < 500 ? 400 : 500)
const known = { 400: 1, 401: 1, 403: 1, 404: 1, 405: 1, 408: 1, 413: 1, 415: 1, 429: 1, 431: 1, 500: 1, 503: 1 }

/** Outermost edge of a request: the only place that handles causes. */
const fromCause = (
  cause: Cause.Cause<unknown>,
  methods: (path: string) => ReadonlyArray<string>
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause as Cause.Cause<never>)
  const error = Cause.squash(cause)
  if (HttpApiError.HttpApiSchemaError.is(error)) return Problem.fromSchemaError(error)
  if (HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound") {
    const allow = methods(error.reason.request.url.split("?", 1)[0]!)
    return Effect.succeed(
      allow.length === 0
        ? Problem.response(404)
        : HttpServerResponse.setHeader(Problem.response(405), "allow", allow.join(", "))
    )
  }
  if (HttpServerError.isHttpServerError(error)) return Effect.succeed(Problem.fromServerError(error))
  if (HttpServerResponse.isHttpServerResponse(error)) return Effect.succeed(asProblem(error))
  return Effect.as(Effect.logError("a request broke", cause), Problem.response(500))
}

const healthResponse = (report: { readonly status: Verdict }): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(report, { status: report.status === "down" ? 503 : 200 })

const systemPaths = ["/health", "/ready", "/metrics", "/openapi.json", "/docs"] as const

/** Endpoints of every daemon: health, readiness, metrics, and the documents of its API. */
export const systemRoutes = (api: HttpApi.Constraint) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const health = yield* Health
      const access = yield* HealthAccess
      const reader = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
        access.readerOf(NodeHttpServerRequest.toIncomingMessage(request) as IncomingMessage)
      )
      yield* router.add(
        "GET",
        "/health",
        Effect.flatMap(reader, (reader) =>
          reader === "refused"
            ? Effect.succeed(Problem.response(401, refusalDetail))
            : reader === "details"
              ? Effect.gen(function* () {
                  const { headers } = yield* HttpServerRequest.HttpServerRequest
                  return healthResponse(reportFor(headers, yield* health.report))
                })
              : Effect.map(health.verdict, (status) => healthResponse(publicReport([[health.daemon, status]])))
        )
      )
      yield* router.add(
        "GET",
        "/ready",
        Effect.map(health.ready, (ready) =>
          ready ? HttpServerResponse.jsonUnsafe({ ready }) : Problem.response(503, "Not ready yet.")
        )
      )
      yield* router.add(
        "GET",
        "/metrics",
        Effect.flatMap(reader, (reader) =>
          reader === "details"
            ? Effect.map(Scrape.text, (text) => HttpServerResponse.text(text, { contentType: metricsType }))
            : Effect.succeed(Problem.response(401, refusalDetail))
        )
      )
      yield* router.add(
        "GET",
        "/openapi.json",
        Effect.sync(() => HttpServerResponse.jsonUnsafe(OpenApi.fromApi(top(api))))
      )
      const docs = yield* Effect.cached(Effect.sync(() => DocsPage.render(OpenApi.fromApi(top(api)))))
      yield* router.add("GET", "/docs", Effect.map(docs, HttpServerResponse.html))
    })
  )
