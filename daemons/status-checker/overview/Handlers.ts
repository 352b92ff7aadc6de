import { Clock, Effect } from "effect"
import * as Handlers from "#core/http/Handlers.ts"
import { OverviewApi } from "./Api.ts"
import { defaultPage, paged } from "#core/http/Paging.ts"
import { offeredLanguageFor } from "#core/words/InLanguage.ts"
import { requestChecks } from "../checks/Exports.ts"
import { StatusFiles } from "../status-files/Exports.ts"
import { requester } from "../status/AdminChange.ts"
import * as Overview from "./Overview.ts"
import { asProvider } from "../status/ProviderOnly.ts"

export const admin = Handlers.group(
  OverviewApi,
  "admin",
  Effect.fn(function* (handlers) {
    const files = yield* StatusFiles
    return handlers.handleAll({
      subscribers: Effect.fnUntraced(function* ({ query: { before, limit = defaultPage, status } }) {
        return paged(yield* asProvider(Overview.subscribers(status, before, limit + 1)), limit)
      }),
      removeSubscriber: Effect.fnUntraced(function* ({ params }) {
        const by = yield* requester
        return yield* asProvider(Overview.removeSubscriber(params.id, by))
      }),
      checks: Effect.fnUntraced(function* () {
        const language = yield* offeredLanguageFor(undefined)
        return { items: yield* asProvider(Overview.checks(files.components(), language)) }
      }),
      checkNow: Effect.fnUntraced(function* () {
        const requested_at = new Date(yield* Clock.currentTimeMillis).toISOString()
        yield* asProvider(requestChecks)
        return { requested_at }
      }),
      mails: Effect.fnUntraced(function* ({ query: { before, limit = defaultPage, state } }) {
        return paged(yield* asProvider(Overview.mails(state, before, limit + 1)), limit)
      })
    })
  })
)
