/** Choice among the offered languages, shipped or added by an operator. Reads only memory (TextMemory.ts). */
import { acceptedTags, formatLocales, type Language, primaryTag } from "./Language.ts"
import { isOffered, type LanguageCode, offeredLanguages } from "./TextMemory.ts"

/** The offered language of a tag (BCP 47): the same one, else the one with the same primary language. */
const offeredAs = (tag: string): LanguageCode | undefined => {
  const wanted = tag.trim().toLowerCase().replaceAll("_", "-")
  const primary = primaryTag(wanted)
  const all = offeredLanguages()
  const same = all.find(({ code }) => code.toLowerCase() === wanted)
  return (same ?? all.find(({ code }) => code.toLowerCase() === primary))?.code
}

/** Uses `lang` when it is offered, then the first offered language of Accept-Language, then English. */
export const chooseLanguage = (lang: string | null | undefined, accepted: string | undefined): LanguageCode => {
  if (typeof lang === "string" && isOffered(lang)) return lang
  for (const tag of acceptedTags(accepted)) {
    const found = offeredAs(tag)
    if (found !== undefined) return found
  }
  return "en"
}

/** The offered language of a locale; undefined when there is none. */
export const languageOfLocale = (locale: string): LanguageCode | undefined => offeredAs(locale)

/** The offered language of an account's locale; English when there is none. */
export const languageOfAccount = (locale: string): LanguageCode => offeredAs(locale) ?? "en"

/** Locale for dates and numbers of a language. */
export const formatLocaleOf = (language: LanguageCode): string =>
  language === "en" || language === "de" ? formatLocales[language] : language

/** What `make` says in each offered language, by code. */
export const inEveryLanguage = <A>(
  make: (language: LanguageCode) => A
): Readonly<Record<LanguageCode, A>> & Readonly<Record<Language, A>> => ({
  ...Object.fromEntries(offeredLanguages().map(({ code }) => [code, make(code)])),
  en: make("en"),
  de: make("de")
})
