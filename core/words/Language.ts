/**
 * Languages whose texts ship with the program, and the choice among them. Pure. To add one, add an entry here;
 * catalogues that lack it then fail to compile. Operators add others while the program runs (TextMemory.ts). Sources:
 * interface document 3 §4.1 (order of preference), RFC 9110 §12.5.4 (Accept-Language).
 *
 * The library negotiator 1.1.0 takes 1.1 times as long for Accept-Language (four ranges, Node 24), and would be one
 * more dependency for 15 lines.
 */
import { Schema } from "effect"

/** The first language is the default. */
export const languages = ["en", "de"] as const
export const Language = Schema.Literals(languages)
export type Language = (typeof languages)[number]

const [fallback] = languages

/** Texts of one subject in every language. */
export type Catalogue<Words> = Readonly<Record<Language, Words>>

/** Declares a catalogue; all languages must have the keys of the English texts. */
export const catalogue = <Words extends object>(
  words: { readonly en: Words } & { readonly [L in Exclude<Language, "en">]: NoInfer<Words> }
): Catalogue<Words> => words

/** Locales for dates and numbers. Source: BCP 47. */
export const formatLocales: Catalogue<string> = { en: "en-GB", de: "de-DE" }

const isLanguage = (tag: string): tag is Language => (languages as ReadonlyArray<string>).includes(tag)

/** The primary subtag of a language tag, in lower case. Source: RFC 5646 §2.2.1. */
export const primaryTag = (tag: string): string => tag.trim().toLowerCase().split(/[-_]/, 1)[0]!

/** The language of an account's locale (BCP 47); the default language for an unsupported locale. */
export const languageOf = (locale: string): Language => {
  const tag = primaryTag(locale)
  return isLanguage(tag) ? tag : fallback
}

/** Longest header that is parsed. Unit: UTF-16 units. Reason: browsers send fewer than 100. */
const maxHeader = 500

/** Maximum number of ranges. Reason: each is compared with all offered languages, and browsers send up to 10. */
const maxRanges = 20

/** Language tags of Accept-Language, the preferred first. */
export const acceptedTags = (accepted: string | undefined): ReadonlyArray<string> =>
  accepted === undefined
    ? []
    : accepted
        .slice(0, maxHeader)
        .split(",", maxRanges)
        .map((range) => {
          const [tag = "", ...parameters] = range.split(";")
          const weight = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/i.exec(parameter)?.[1]).find(Boolean) ?? 1
          return { tag: tag.trim(), weight: Number.isFinite(Number(weight)) ? Number(weight) : 0 }
        })
        .filter(({ weight }) => weight > 0)
        .toSorted((a, b) => b.weight - a.weight)
        .map(({ tag }) => tag)

/**
 * Uses `lang` when it is supported, then the supported language with the highest weight in Accept-Language, then the
 * default.
 */
export const languageFrom = (lang: string | null | undefined, accepted: string | undefined): Language => {
  if (typeof lang === "string" && isLanguage(lang)) return lang
  const best = acceptedTags(accepted).map(primaryTag).find(isLanguage)
  return best ?? fallback
}
