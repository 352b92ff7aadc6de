import { Effect } from "effect"
import { inScope } from "#core/auth/Caller.ts"
import { defaultPage, paged } from "#core/http/Paging.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { CallsApi } from "./Api.ts"
import type { CallView } from "./Api.ts"
import * as CallList from "./CallList.ts"
import { SipSettings } from "../directory/Exports.ts"

/** Converts a row to the response. */
const view = ({ answered_at, ended_at, started_at, ...rest }: CallList.Call): typeof CallView.Type => ({
  ...rest,
  started_at: started_at.toISOString(),
  answered_at: answered_at?.toISOString() ?? null,
  ended_at: ended_at?.toISOString() ?? null,
  duration:
    ended_at === null
      ? null
      : answered_at === null
        ? 0
        : Math.max(0, Math.round((ended_at.getTime() - answered_at.getTime()) / 1000))
})

export const calls = Handlers.group(
  CallsApi,
  "calls",
  Effect.fn(function* (handlers) {
    const { country } = yield* SipSettings
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { before, limit = defaultPage, ...filter } }) {
        return paged(
          (yield* orUnavailable(inScope(CallList.list(filter, country, before, limit + 1)))).map(view),
          limit
        )
      }),
      show: Effect.fnUntraced(function* ({ params }) {
        return view(yield* orUnavailable(inScope(CallList.get(params.id))))
      })
    })
  })
)
