/**
 * Language selection of endpoints that return text: the query parameter, and how a handler reads it. Without the
 * parameter the language of the request decides (RequestLanguage.ts).
 */
import { Effect, Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import { Language, languageFrom, primaryTag } from "./Language.ts"
import { languageOfRequest, localeOfAccount } from "./RequestLanguage.ts"
import { isOffered, type LanguageCode } from "./TextMemory.ts"

/** Query parameter with the language of returned text. Default: language of the request. */
export const inLanguage = { lang: Schema.optionalKey(Language) }

/** Language of the response, for texts that exist in German and English only. */
export const languageFor = (named: Language | undefined) =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) =>
    languageFrom(named ?? supported(localeOfAccount(headers)), headers["accept-language"])
  )

const supported = (locale: string | undefined) => (locale === undefined ? undefined : primaryTag(locale))

/** A text by the code of each offered language. */
export const InEveryLanguage = Schema.StructWithRest(Schema.Struct({ en: Schema.String, de: Schema.String }), [
  Schema.Record(Schema.String, Schema.String)
])

/** Code of a language that is offered when the request is read, shipped or added by an operator. */
export const OfferedLanguage = Schema.String.check(
  Schema.isMaxLength(12),
  Schema.makeFilter((code: string) => (isOffered(code) ? undefined : "must be the code of an offered language"))
)

/** Query parameter for texts of the catalogues: also a language that an operator added. */
export const inOfferedLanguage = { lang: Schema.optionalKey(OfferedLanguage) }

/** Language of texts of the catalogues. */
export const offeredLanguageFor = (named: LanguageCode | undefined) =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) =>
    named !== undefined && isOffered(named) ? named : languageOfRequest(headers)
  )
