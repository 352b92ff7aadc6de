import { Effect } from "effect"
import { inScope } from "#core/auth/Caller.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { defaultPage, paged } from "#core/http/Paging.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { DirectoryApi } from "../Api.ts"
import { LineView } from "./Api.ts"
import * as Lines from "./Store.ts"
import { answered, notEmpty, ownerOf } from "../Requests.ts"

/** Converts a row to the response. */
const view = (row: Lines.Line): typeof LineView.Type => answered(row)

export const lines = Handlers.group(DirectoryApi, "lines", (handlers) =>
  handlers.handleAll({
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
)
