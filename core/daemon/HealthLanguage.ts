/**
 * Details of a health report in the reader's language (words/Sentences.ts). Code states a detail in English, as one or
 * more sentences with "; " between them. A sentence of another party, which nobody declared, stays as it is.
 */
import { type LanguageHeaders, languageOfRequest } from "../words/RequestLanguage.ts"
import { sentenceIn } from "../words/Sentences.ts"
import type { LanguageCode } from "../words/TextMemory.ts"
import type { HealthReport } from "./Health.ts"
import "./HealthTexts.ts"

/** Separates the sentences of a detail. */
export const betweenSentences = "; "

/** A detail in a language. Pure, apart from the declared texts. */
export const detailIn = (language: LanguageCode, detail: string): string =>
  language === "en"
    ? detail
    : detail
        .split(betweenSentences)
        .map((sentence) => sentenceIn(language, sentence) ?? sentence)
        .join(betweenSentences)

/** The report in the language of a request. Figures and names stay as they are, because programs read them. */
export const reportFor = (headers: LanguageHeaders, report: HealthReport): HealthReport => {
  const language = languageOfRequest(headers)
  if (language === "en") return report
  return {
    ...report,
    components: Object.fromEntries(
      Object.entries(report.components).map(([name, component]) => [
        name,
        component.detail === undefined ? component : { ...component, detail: detailIn(language, component.detail) }
      ])
    )
  }
}
