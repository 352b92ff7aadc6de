import { Effect } from "effect"
import { inScope } from "#core/auth/Caller.ts"
import { defaultPage, paged } from "#core/http/Paging.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { BansApi } from "./Api.ts"
import type { BanView } from "./Api.ts"
import * as BanTable from "./BanTable.ts"

const view = ({ address, banned_at, id, rule, until }: BanTable.Ban): typeof BanView.Type => ({
  id,
  address,
  rule,
  banned_at: banned_at.toISOString(),
  until: until.toISOString()
})

export const bans = Handlers.group(BansApi, "bans", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ query: { before, limit = defaultPage } }) {
      return paged((yield* orUnavailable(inScope(BanTable.list(before, limit + 1)))).map(view), limit)
    }),
    lift: Effect.fnUntraced(function* ({ params }) {
      yield* orUnavailable(inScope(BanTable.lift(params.id)))
    })
  })
)

/** The fast lane runs before the router and answers this path, so a request that arrives here is a defect. */
export const authPolicy = Handlers.group(BansApi, "authPolicy", (handlers) =>
  handlers.handleAll({ authPolicy: () => Effect.die(new Error("the fast lane did not answer the mail server")) })
)
