/** Language selection of endpoints that return text: the query parameter, and how a handler reads it. */
import { Effect, Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import { chooseLanguage } from "./ChooseLanguage.ts"
import { Language, languageFrom } from "./Language.ts"
import { isOffered, type LanguageCode } from "./TextMemory.ts"

/** Query parameter with the language of returned text. Default: Accept-Language, else English. */
export const inLanguage = { lang: Schema.optionalKey(Language) }

/** Language of the response: from the query parameter, else from Accept-Language. */
export const languageFor = (named: Language | undefined) =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => languageFrom(named, headers["accept-language"]))

/** Code of a language that is offered when the request is read, shipped or added by an operator. */
export const OfferedLanguage = Schema.String.check(
  Schema.isMaxLength(12),
  Schema.makeFilter((code: string) => (isOffered(code) ? undefined : "must be the code of an offered language"))
)

/** Query parameter for texts of the catalogues: also a language that an operator added. */
export const inOfferedLanguage = { lang: Schema.optionalKey(OfferedLanguage) }

/** Language of texts of the catalogues: from the query parameter, else from Accept-Language. */
export const offeredLanguageFor = (named: LanguageCode | undefined) =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => chooseLanguage(named, headers["accept-language"]))
