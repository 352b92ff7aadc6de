import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import * as Handlers from "#core/http/Handlers.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import { transaction } from "#core/sql/Sql.ts"
import { byUser, note } from "../edge/AuditNote.ts"
import { Edge } from "../edge/Edge.ts"
import { EdgeProjection } from "../edge/EdgeProjection.ts"
import { hostOf } from "../edge/Host.ts"
import { messagePage } from "../edge/pages/Page.ts"
import { words } from "../edge/pages/Words.ts"
import { Refusals } from "../edge/Refusals.ts"
import { sessionCookie } from "../edge/SessionCookie.ts"
import { makeVisitor } from "../edge/Visitor.ts"
import { HandoffApi } from "./Api.ts"
import * as Handoffs from "./Handoffs.ts"

export const handoff = Handlers.group(
  HandoffApi,
  "handoff",
  Effect.fn(function* (handlers) {
    const refusals = yield* Refusals
    const projection = yield* EdgeProjection
    const { home } = yield* Edge
    const visitorOf = yield* makeVisitor

    return handlers.handleAll({
      handoff: Effect.fnUntraced(function* ({ query }) {
        const { client, language } = yield* visitorOf({})
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        const host = hostOf(headers["x-forwarded-host"] ?? headers["host"] ?? "")
        const begun =
          host === undefined
            ? undefined
            : yield* orUnavailable(
                transaction(
                  Effect.gen(function* () {
                    const begun = yield* Handoffs.redeem(query.code ?? "", host, client)
                    if (begun !== undefined)
                      yield* note(byUser(begun.userId, client.ip), "session.handed_over", "session", begun.id, { host })
                    return begun
                  })
                )
              )
        if (begun === undefined) {
          yield* refusals.tell({ kind: "edge_handoff", address: client.ip })
          return messagePage(language, words(language).login, words(language).codeUsed, 403, {}, home.base)
        }
        yield* Effect.ignore(projection.refresh)
        return HttpServerResponse.empty({
          status: 303,
          headers: {
            location: begun.target,
            "set-cookie": sessionCookie(begun.token, undefined, begun.ttl),
            "cache-control": "no-store",
            "referrer-policy": "no-referrer"
          }
        })
      })
    })
  })
)
