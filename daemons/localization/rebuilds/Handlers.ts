import { Effect } from "effect"
import * as Handlers from "#core/http/Handlers.ts"
import { defaultPage } from "#core/http/Paging.ts"
import { NotConfigured, orUnavailable } from "#core/http/Problem.ts"
import { transaction } from "#core/sql/Sql.ts"
import { author } from "../texts/Exports.ts"
import { RebuildsApi } from "./Api.ts"
import { TranslationEngine } from "./Engine.ts"
import * as Store from "./Store.ts"

export const rebuilds = Handlers.group(
  RebuildsApi,
  "i18nRebuilds",
  Effect.fn(function* (handlers) {
    const { engine } = yield* TranslationEngine
    return handlers.handleAll({
      start: Effect.fnUntraced(function* ({ payload: { locale = null } }) {
        if (engine === undefined)
          return yield* new NotConfigured({
            detail: "No translation server is configured.",
            settings: ["SIGNALBOX_TRANSLATE_URL"]
          })
        const by = yield* author
        return yield* orUnavailable(Effect.map(transaction(Store.start(locale, by)), Store.view))
      }),
      list: Effect.fnUntraced(function* ({ query: { before, limit = defaultPage } }) {
        const found = yield* orUnavailable(transaction(Store.list(before, limit + 1)))
        const items = found.slice(0, limit)
        return { items: items.map(Store.view), next_before: found.length > limit ? items.at(-1)!.seq : null }
      }),
      show: ({ params: { id } }) => orUnavailable(Effect.map(transaction(Store.get(id)), Store.view)),
      cancel: Effect.fnUntraced(function* ({ params: { id } }) {
        const by = yield* author
        return yield* orUnavailable(Effect.map(transaction(Store.cancel(id, by)), Store.view))
      })
    })
  })
)
