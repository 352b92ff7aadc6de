/**
 * Language of the texts that a request is answered with: of the signed-in account, else of Accept-Language, else
 * English. Source: interface document 3 §4.1 (Accept-Language).
 */
import { claimedLocale } from "../auth/TokenClaims.ts"
import { chooseLanguage, languageOfLocale } from "./ChooseLanguage.ts"
import type { LanguageCode } from "./TextMemory.ts"

/** Headers of a request, of Effect or of Node. */
export type LanguageHeaders = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

const bearer = "Bearer "

/** Locale of the signed-in account, by its token; undefined without one. */
export const localeOfAccount = ({ authorization }: LanguageHeaders): string | undefined =>
  typeof authorization === "string" && authorization.startsWith(bearer)
    ? claimedLocale(authorization.slice(bearer.length))
    : undefined

export const languageOfRequest = (headers: LanguageHeaders): LanguageCode => {
  const { "accept-language": accepted } = headers
  const locale = localeOfAccount(headers)
  return (
    (locale === undefined ? undefined : languageOfLocale(locale)) ??
    (typeof accepted === "string" ? chooseLanguage(undefined, accepted) : "en")
  )
}
