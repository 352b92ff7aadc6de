import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import * as Handlers from "#core/http/Handlers.ts"
import { PublicationApi } from "../Api.ts"
import { historyPage } from "./HistoryPage.ts"
import { incidentPage, notFoundPage } from "./IncidentPage.ts"
import { chooseLanguage } from "#core/words/ChooseLanguage.ts"
import { Publication } from "../Publication.ts"

export const statusPages = Handlers.group(
  PublicationApi,
  "statusPages",
  Effect.fn(function* (handlers) {
    const publication = yield* Publication
    const languageOf = ({ lang }: { readonly lang?: string }) =>
      Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => chooseLanguage(lang, headers["accept-language"]))

    return handlers.handleAll({
      incidentPage: Effect.fnUntraced(function* ({ params: { id }, query }) {
        const language = yield* languageOf(query)
        const { components, incidents } = publication.current()
        const found = incidents.find((one) => one.id === id)
        return found === undefined ? notFoundPage(language) : incidentPage(found, components, language)
      }),
      history: Effect.fnUntraced(function* ({ query }) {
        const language = yield* languageOf(query)
        return historyPage(publication.current(), language, /^\d{1,6}$/.test(query.page ?? "") ? Number(query.page) : 1)
      })
    })
  })
)
