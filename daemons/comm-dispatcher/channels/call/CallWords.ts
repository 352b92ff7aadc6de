/** Words spoken to the callee. */
import type { Language } from "#core/words/Language.ts"
import { shippedTexts } from "#core/words/ShippedTexts.ts"
import type { Severity } from "../../vocabulary/Exports.ts"

/**
 * Longest text that a call speaks. Unit: UTF-16 code units. Reason: about three minutes, and with the words around it
 * within the bound of the speech service. A longer text of an alarm is cut, of a request refused.
 */
export const maxSpokenLength = 2_500

const words = shippedTexts("comm-dispatcher.calls", {
  en: {
    severity: { ALERT: "Alert.", CRITICAL: "Critical.", WARNING: "Warning.", INFO: "Information." },
    second: "This call may repeat an earlier one.",
    cut: "The message was cut.",
    press: "Press one to acknowledge."
  },
  de: {
    severity: { ALERT: "Alarm.", CRITICAL: "Kritische Störung.", WARNING: "Warnung.", INFO: "Information." },
    second: "Dieser Anruf wiederholt möglicherweise einen früheren.",
    cut: "Die Meldung ist gekürzt.",
    press: "Zum Bestätigen drücken Sie die Eins."
  }
})

export interface Spoken {
  readonly language: Language
  readonly severity: Severity | null
  readonly text: string
  /** An earlier call may have been heard. */
  readonly possibleSecond: boolean
  readonly acknowledgement: boolean
}

export const callWords = ({ acknowledgement, language, possibleSecond, severity, text }: Spoken): string => {
  const { cut, press, second, severity: names } = words(language)
  const whole = text.toWellFormed().replace(/\s+/gu, " ").trim()
  const said = whole.length <= maxSpokenLength ? sentence(whole) : `${shortened(whole)} ${cut}`
  return [severity === null ? "" : names[severity], possibleSecond ? second : "", said, acknowledgement ? press : ""]
    .filter((part) => part !== "")
    .join(" ")
}

/** Ends the text with a full stop, so that the next sentence is spoken separately. */
const sentence = (text: string): string => (text === "" || /[.!?\u2026:]$/u.test(text) ? text : `${text}.`)

/** Cuts the text after the last sentence that fits, or else after the last word. */
const shortened = (text: string): string => {
  const head = text.slice(0, maxSpokenLength)
  const end = Math.max(head.lastIndexOf(". "), head.lastIndexOf("! "), head.lastIndexOf("? "))
  if (end > 0) return head.slice(0, end + 1)
  const word = head.lastIndexOf(" ")
  return sentence(head.slice(0, word > 0 ? word : maxSpokenLength).replace(/[\uD800-\uDBFF]$/, ""))
}
