import { words } from "../../lib/Language.ts"
import type { Rebuild } from "./Shapes.ts"

const t = words({
  en: {
    not_configured: "No translation server is configured (SIGNALBOX_TRANSLATE_URL).",
    not_reached: "The translation server cannot be reached.",
    no_answer: "The translation server does not answer.",
    slow_down: "The translation server asks to slow down.",
    forbidden: "The translation server refuses access.",
    refused: "The translation server refuses the request.",
    failed: "The translation server cannot translate the texts.",
    unexpected_answer: "The answer is not that of a LibreTranslate server."
  },
  de: {
    not_configured: "Kein Übersetzungsserver ist eingerichtet (SIGNALBOX_TRANSLATE_URL).",
    not_reached: "Der Übersetzungsserver ist nicht erreichbar.",
    no_answer: "Der Übersetzungsserver antwortet nicht.",
    slow_down: "Der Übersetzungsserver bittet um weniger Anfragen.",
    forbidden: "Der Übersetzungsserver verweigert den Zugriff.",
    refused: "Der Übersetzungsserver lehnt die Anfrage ab.",
    failed: "Der Übersetzungsserver kann die Texte nicht übersetzen.",
    unexpected_answer: "Die Antwort ist nicht die eines LibreTranslate-Servers."
  }
})

/**
 * Why a rebuild failed or does not get on. The detail is in the words of the network or of the server. Rebuilds of
 * older versions have an English sentence only.
 */
export const RebuildProblem = ({ of }: { readonly of: Rebuild }) => {
  const { problem, problem_code: code, problem_detail: detail } = of
  if (problem === null) return null
  const english = code === null ? problem : detail
  return (
    <p class="field-error">
      {code === null ? "" : `${t()[code]} `}
      {english === null ? null : <span lang="en">{english}</span>}
    </p>
  )
}
