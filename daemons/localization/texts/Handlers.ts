import { Effect } from "effect"
import * as Handlers from "#core/http/Handlers.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { defaultPage, paged } from "#core/http/Paging.ts"
import { InvalidRequest, orUnavailable } from "#core/http/Problem.ts"
import { asPlatform, transaction } from "#core/sql/Sql.ts"
import { shownNow } from "../text-memory/TextProjection.ts"
import { LanguageView, TextsApi } from "./Api.ts"
import { author } from "./Author.ts"
import * as History from "./History.ts"
import * as Languages from "./Languages.ts"
import { readPosition, writePosition } from "./Position.ts"
import * as TextList from "./TextList.ts"
import * as Texts from "./Texts.ts"

/**
 * Handlers of `/api/v1/i18n/admin`. All callers belong to the provider (`ProviderOnly`) and the tables have no tenant,
 * so transactions run as the platform role. A request that changes a text is answered when this process serves the new
 * text.
 */
export const texts = Handlers.group(TextsApi, "i18nAdmin", (handlers) =>
  handlers.handleAll({
    statistics: () => orUnavailable(transaction(TextList.statistics())),
    addLanguage: Effect.fnUntraced(function* ({ headers, payload }) {
      const by = yield* author
      return yield* shownNow(
        orUnavailable(
          Idempotency.once({
            key: headers["idempotency-key"],
            endpoint: "i18n.language",
            body: payload,
            response: LanguageView,
            create: asPlatform(Languages.add(payload, by))
          })
        )
      )
    }),
    renameLanguage: Effect.fnUntraced(function* ({ params, payload: { label } }) {
      return yield* shownNow(orUnavailable(transaction(Languages.rename(params.locale, label, yield* author))))
    }),
    removeLanguage: Effect.fnUntraced(function* ({ params }) {
      yield* shownNow(orUnavailable(transaction(Languages.remove(params.locale, yield* author))))
    }),
    forget: Effect.fnUntraced(function* ({ params }) {
      const by = yield* author
      return { forgotten: yield* shownNow(orUnavailable(transaction(Texts.forget(params.locale, by)))) }
    }),
    texts: Effect.fnUntraced(function* ({ params, query: { after, limit = defaultPage, ...filter } }) {
      const position = after === undefined ? undefined : readPosition(after)
      if (after !== undefined && position === undefined)
        return yield* new InvalidRequest({
          errors: [{ field: "query.after", message: "is not a value of next_after" }]
        })
      const rows = yield* orUnavailable(
        transaction(
          Effect.andThen(Languages.get(params.locale), TextList.list(params.locale, filter, position, limit + 1))
        )
      )
      const items = rows.slice(0, limit)
      const last = items.at(-1)
      return {
        items: items.map(({ updated_at, ...row }) => ({ ...row, updated_at: updated_at.toISOString() })),
        next_after: rows.length > limit && last !== undefined ? writePosition(last) : null
      }
    }),
    put: Effect.fnUntraced(function* ({ params, payload: { value } }) {
      return yield* shownNow(orUnavailable(transaction(Texts.put(params.locale, params.key, value, yield* author))))
    }),
    revert: Effect.fnUntraced(function* ({ params }) {
      yield* shownNow(orUnavailable(transaction(Texts.revert(params.locale, params.key, yield* author))))
    }),
    history: Effect.fnUntraced(function* ({ params, query: { before, limit = defaultPage } }) {
      const found = yield* orUnavailable(transaction(History.list(params.locale, params.key, before, limit + 1)))
      const { items, next_before } = paged(found, limit)
      return { items: items.map(({ at, ...change }) => ({ ...change, at: at.toISOString() })), next_before }
    })
  })
)
