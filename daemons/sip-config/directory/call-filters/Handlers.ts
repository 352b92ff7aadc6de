import { Effect } from "effect"
import { inScope } from "#core/auth/Caller.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { defaultPage, paged } from "#core/http/Paging.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { DirectoryApi } from "../Api.ts"
import { CallFilterView } from "./Api.ts"
import * as CallFilters from "./Store.ts"
import { answered, notEmpty, ownerOf } from "../Requests.ts"

/** Converts a row to the response. */
const view = (row: CallFilters.CallFilter): typeof CallFilterView.Type => answered(row)

export const callFilters = Handlers.group(DirectoryApi, "callFilters", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ query: { before, limit = defaultPage, ...filter } }) {
      return paged((yield* orUnavailable(inScope(CallFilters.list(filter, before, limit + 1)))).map(view), limit)
    }),
    show: Effect.fnUntraced(function* ({ params }) {
      return view(yield* orUnavailable(inScope(CallFilters.get(params.id))))
    }),
    create: Effect.fnUntraced(function* ({ headers, payload }) {
      const tenantId = yield* ownerOf(payload.tenant_id)
      const { action = "reject", enabled = true, name, pattern, type } = payload
      return yield* orUnavailable(
        Idempotency.once({
          key: headers["idempotency-key"],
          endpoint: "sip.call_filters.create",
          body: payload,
          response: CallFilterView,
          create: Effect.map(CallFilters.create(tenantId, { name, type, pattern, action, enabled }), view)
        })
      )
    }),
    update: Effect.fnUntraced(function* ({ params, payload }) {
      yield* notEmpty(payload)
      return view(yield* orUnavailable(inScope(CallFilters.update(params.id, payload))))
    }),
    remove: Effect.fnUntraced(function* ({ params }) {
      yield* orUnavailable(inScope(CallFilters.remove(params.id)))
    })
  })
)
