import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { SqlClient } from "effect/sql"
import { Database } from "#core/sql/Database.ts"
import { defaultPage, paged } from "#core/http/Paging.ts"
import { Wake } from "#core/events/Wake.ts"
import { StatusCheckerApi } from "../../Api.ts"
import { StatusFiles } from "../../status-files/StatusFiles.ts"
import { requester } from "../Acting.ts"
import * as Overview from "./Overview.ts"
import { asProvider } from "../../status-files/ProviderOnly.ts"

export const admin = HttpApiBuilder.group(
  StatusCheckerApi,
  "admin",
  Effect.fn(function* (handlers) {
    const files = yield* StatusFiles
    yield* SqlClient.SqlClient
    yield* Database
    yield* Wake
    return handlers.handleAll({
      subscribers: Effect.fnUntraced(function* ({ query: { before, limit = defaultPage, status } }) {
        return paged(yield* asProvider(Overview.subscribers(status, before, limit + 1)), limit)
      }),
      removeSubscriber: Effect.fnUntraced(function* ({ params }) {
        const by = yield* requester
        return yield* asProvider(Overview.removeSubscriber(params.id, by))
      }),
      checks: Effect.fnUntraced(function* () {
        return { items: yield* asProvider(Overview.checks(files.components())) }
      }),
      mails: Effect.fnUntraced(function* ({ query: { before, limit = defaultPage, state } }) {
        return paged(yield* asProvider(Overview.mails(state, before, limit + 1)), limit)
      })
    })
  })
)
