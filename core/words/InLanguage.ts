/** Language selection of endpoints that return text: the query parameter, and how a handler reads it. */
import { Effect, Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import { Language, languageFrom } from "./Language.ts"

/** Query parameter with the language of returned text. Default: Accept-Language, else English. */
export const inLanguage = { lang: Schema.optionalKey(Language) }

/** Language of the response: from the query parameter, else from Accept-Language. */
export const languageFor = (named: Language | undefined) =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => languageFrom(named, headers["accept-language"]))
