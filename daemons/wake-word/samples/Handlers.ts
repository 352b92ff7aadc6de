import { Effect } from "effect"
import { inScope } from "#core/auth/Caller.ts"
import * as Handlers from "#core/http/Handlers.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { defaultPage, paged } from "#core/http/Paging.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import { SamplesApi, SamplesView } from "./Api.ts"
import * as Store from "./Store.ts"

const view = ({ created_at, ...row }: Store.Row): typeof SamplesView.Type => ({
  ...row,
  created_at: created_at.toISOString()
})

export const samples = Handlers.group(SamplesApi, "wake-word samples", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ query: { before, limit = defaultPage } }) {
      const found = yield* orUnavailable(inScope(Store.list(before, limit + 1)))
      return paged(found.map(view), limit)
    }),
    create: ({ headers, payload }) =>
      orUnavailable(
        Idempotency.once({
          key: headers["idempotency-key"],
          endpoint: "wake-word-samples.create",
          body: payload,
          response: SamplesView,
          create: Effect.map(Store.create(payload.name), view)
        })
      )
  })
)
