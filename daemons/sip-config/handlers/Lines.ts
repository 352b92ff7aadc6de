import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { SqlClient } from "effect/sql"
import { inScope } from "#core/auth/Caller.ts"
import { Database } from "#core/sql/Database.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { defaultPage, paged } from "#core/http/Paging.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import { Wake } from "#core/events/Wake.ts"
import { SipConfigApi } from "../Api.ts"
import { LineView } from "../api/Lines.ts"
import * as Lines from "../data/Lines.ts"
import { answered, notEmpty, ownerOf } from "./Common.ts"

/** A line as it is answered. */
const view = (row: Lines.Line): typeof LineView.Type => answered(row)

export const lines = HttpApiBuilder.group(
  SipConfigApi,
  "lines",
  Effect.fn(function* (handlers) {
    yield* SqlClient.SqlClient
    yield* Database
    yield* Wake
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { before, limit = defaultPage, ...filter } }) {
        return paged((yield* orUnavailable(inScope(Lines.list(filter, before, limit + 1)))).map(view), limit)
      }),
      show: Effect.fnUntraced(function* ({ params }) {
        return view(yield* orUnavailable(inScope(Lines.get(params.id))))
      }),
      create: Effect.fnUntraced(function* ({ headers, payload }) {
        const tenantId = yield* ownerOf(payload.tenant_id)
        const { did_id = null, extension_id, priority = 100, trunk_id } = payload
        return yield* orUnavailable(
          Idempotency.once({
            key: headers["idempotency-key"],
            endpoint: "sip.lines.create",
            body: payload,
            response: LineView,
            create: Effect.map(Lines.create(tenantId, { extension_id, did_id, trunk_id, priority }), view)
          })
        )
      }),
      update: Effect.fnUntraced(function* ({ params, payload }) {
        yield* notEmpty(payload)
        return view(yield* orUnavailable(inScope(Lines.update(params.id, payload))))
      }),
      remove: Effect.fnUntraced(function* ({ params }) {
        yield* orUnavailable(inScope(Lines.remove(params.id)))
      })
    })
  })
)
