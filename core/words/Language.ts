/**
 * Chooses one of the two supported languages. Pure. Sources: interface document 3 §4.1 (order of preference), RFC 9110
 * §12.5.4 (Accept-Language).
 */

export type Language = "de" | "en"

export const languages: ReadonlyArray<Language> = ["en", "de"]

/** Longest parsed header. Unit: UTF-16 units. */
const maxHeader = 300

/**
 * Uses `lang` when it is supported, then the supported language with the highest weight in Accept-Language, then
 * English.
 */
export const languageFrom = (lang: string | null | undefined, accepted: string | undefined): Language => {
  if (lang === "de" || lang === "en") return lang
  if (accepted === undefined) return "en"
  const ranges = accepted
    .slice(0, maxHeader)
    .split(",")
    .map((range) => {
      const [tag = "", ...parameters] = range.trim().toLowerCase().split(";")
      const weight = Number(
        parameters.map((parameter) => /^\s*q=([\d.]+)$/.exec(parameter)?.[1]).find((found) => found !== undefined) ?? 1
      )
      return { tag: tag.split("-", 1)[0]!.trim(), weight: Number.isFinite(weight) ? weight : 0 }
    })
  return (
    (ranges
      .filter(({ tag, weight }) => (tag === "de" || tag === "en") && weight > 0)
      .toSorted((a, b) => b.weight - a.weight)[0]?.tag as Language | undefined) ?? "en"
  )
}
