import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { SqlClient } from "effect/sql"
import { inScope } from "#core/auth/Caller.ts"
import { Database } from "#core/sql/Database.ts"
import { defaultPage, paged } from "#core/http/Paging.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import { SipConfigApi } from "../Api.ts"
import type { CallView } from "../api/Calls.ts"
import * as CallList from "../calls/CallList.ts"
import { SipSettings } from "../SipSettings.ts"

/** A call as it is answered. */
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

export const calls = HttpApiBuilder.group(
  SipConfigApi,
  "calls",
  Effect.fn(function* (handlers) {
    yield* SqlClient.SqlClient
    yield* Database
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
