/** How an endpoint that answers in words is told in which language, and how its handler reads that. */
import { Effect, Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import { type Language, languageFrom } from "./Language.ts"

/** Of a query: in which language words are answered; without it by Accept-Language, else English. */
export const inLanguage = { lang: Schema.optionalKey(Schema.Literals(["de", "en"])) }

/** The language of the words: as the query names it, else as the browser asks. */
export const languageFor = (named: Language | undefined) =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => languageFrom(named, headers["accept-language"]))
