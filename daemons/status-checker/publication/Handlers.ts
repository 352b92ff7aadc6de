/**
 * Router handlers with the answers of the lane, for paths that the lane does not match, such as percent-encoded ones.
 */
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { OpenApi } from "effect/http-api"
import { ApiDocument } from "#core/daemon/Feature.ts"
import * as DocsPage from "#core/http/DocsPage.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { PublicationApi } from "./Api.ts"
import { type AnswerRequest, replyTo } from "./Answers.ts"
import { planners } from "./Plans.ts"
import { Publication } from "./Publication.ts"

const answering = Effect.map(
  Publication,
  (publication) => (path: string) => (asked: object) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers, url }) =>
      Effect.promise(async () => {
        const [, query = ""] = url.split("?", 2)
        const rest =
          "params" in asked
            ? encodeURIComponent(Object.values(asked.params as Readonly<Record<string, string>>)[0]!)
            : ""
        const reply = await replyTo(publication.shelf(), planners.get(path)!, {
          query,
          rest,
          headers: headers as AnswerRequest["headers"]
        })
        const named = Object.fromEntries(
          Array.from({ length: reply.headers.length / 2 }, (_, index) => [
            reply.headers[2 * index]!,
            reply.headers[2 * index + 1]!
          ])
        )
        return reply.body === undefined
          ? HttpServerResponse.empty({ status: reply.status, headers: named })
          : HttpServerResponse.uint8Array(reply.body, {
              status: reply.status,
              headers: named,
              contentType: named["content-type"]!
            })
      })
    )
)

export const shown = Handlers.group(
  PublicationApi,
  "shown",
  Effect.fn(function* (handlers) {
    const answer = yield* answering
    return handlers.handleAll({
      status: answer("/api/v1/status"),
      components: answer("/api/v1/components"),
      component: answer("/api/v1/components/*"),
      responseTimes: answer("/api/v1/response-times"),
      responseTime: answer("/api/v1/response-times/*"),
      uptimes: answer("/api/v1/uptime"),
      uptime: answer("/api/v1/uptime/*"),
      incidents: answer("/api/v1/incidents"),
      incident: answer("/api/v1/incidents/*")
    })
  })
)

export const formats = Handlers.group(
  PublicationApi,
  "formats",
  Effect.fn(function* (handlers) {
    const answer = yield* answering
    const document = yield* ApiDocument
    const description = yield* Effect.cached(Effect.sync(() => OpenApi.fromApi(document)))
    const docs = yield* Effect.cached(Effect.map(description, (one) => HttpServerResponse.html(DocsPage.render(one))))
    return handlers.handleAll({
      page: answer("/"),
      feed: answer("/feed.atom"),
      badge: answer("/badge.svg"),
      componentBadge: answer("/badge/*"),
      docs: () => docs,
      openapi: () => description
    })
  })
)

export const statuspage = Handlers.group(
  PublicationApi,
  "statuspage",
  Effect.fn(function* (handlers) {
    const answer = yield* answering
    return handlers.handleAll({
      summary: answer("/api/v2/summary.json"),
      overall: answer("/api/v2/status.json"),
      components: answer("/api/v2/components.json"),
      incidents: answer("/api/v2/incidents.json"),
      unresolved: answer("/api/v2/incidents/unresolved.json"),
      maintenances: answer("/api/v2/scheduled-maintenances.json"),
      active: answer("/api/v2/scheduled-maintenances/active.json"),
      upcoming: answer("/api/v2/scheduled-maintenances/upcoming.json")
    })
  })
)
