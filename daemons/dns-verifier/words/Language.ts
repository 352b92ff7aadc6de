/** The languages in which people are told about their domains. Pure. */

export type Language = "de" | "en"

/** Most that is read of the header. Unit: characters. */
const maxAccepted = 500

/** The one that a browser likes best; English where it likes neither. Source: RFC 9110 §12.5.4. */
export const languageOf = (accepted: string | undefined): Language => {
  const weights = new Map<string, number>()
  for (const range of (accepted ?? "").slice(0, maxAccepted).toLowerCase().split(",")) {
    const [tag = "", ...parameters] = range.split(";").map((part) => part.trim())
    const quality = parameters.map((parameter) => /^q=([01](?:\.\d{1,3})?)$/.exec(parameter)?.[1]).find((found) => found !== undefined)
    const language = tag.split("-")[0]!
    weights.set(language, Math.max(weights.get(language) ?? 0, Number(quality ?? 1)))
  }
  return (weights.get("de") ?? 0) > (weights.get("en") ?? 0) ? "de" : "en"
}
