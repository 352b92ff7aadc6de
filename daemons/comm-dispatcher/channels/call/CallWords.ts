import type { Severity } from "../../vocabulary/Exports.ts"
/** What is said to whoever answers. Pure. */

export const callLanguages = ["de", "en"] as const
export type CallLanguage = (typeof callLanguages)[number]

/** Longest text of an alarm that is spoken. Unit: UTF-16 units. Reason: some 45 seconds; twice that is all a person stays for. */
export const maxSpokenLength = 700

interface Words {
  readonly severity: Readonly<Record<Severity, string>>
  readonly second: string
  readonly cut: string
  readonly press: string
}

const words: Readonly<Record<CallLanguage, Words>> = {
  de: {
    severity: { ALERT: "Alarm.", CRITICAL: "Kritische Störung.", WARNING: "Warnung.", INFO: "Information." },
    second: "Dieser Anruf wiederholt möglicherweise einen früheren.",
    cut: "Die Meldung ist gekürzt.",
    press: "Zum Bestätigen drücken Sie die Eins."
  },
  en: {
    severity: { ALERT: "Alert.", CRITICAL: "Critical.", WARNING: "Warning.", INFO: "Information." },
    second: "This call may repeat an earlier one.",
    cut: "The message was cut.",
    press: "Press one to acknowledge."
  }
}

export interface Spoken {
  readonly language: CallLanguage
  readonly severity: Severity | null
  readonly text: string
  /** An earlier call may have been heard. */
  readonly possibleSecond: boolean
  readonly acknowledgement: boolean
}

export const callWords = ({ acknowledgement, language, possibleSecond, severity, text }: Spoken): string => {
  const { cut, press, second, severity: names } = words[language]
  const whole = text.toWellFormed().replace(/\s+/gu, " ").trim()
  const said = whole.length <= maxSpokenLength ? sentence(whole) : `${shortened(whole)} ${cut}`
  return [severity === null ? "" : names[severity], possibleSecond ? second : "", said, acknowledgement ? press : ""]
    .filter((part) => part !== "")
    .join(" ")
}

/** So that what follows is not run together with it. */
const sentence = (text: string): string => (text === "" || /[.!?…:]$/u.test(text) ? text : `${text}.`)

/** Up to the last sentence that fits whole, or else the last word. */
const shortened = (text: string): string => {
  const head = text.slice(0, maxSpokenLength)
  const end = Math.max(head.lastIndexOf(". "), head.lastIndexOf("! "), head.lastIndexOf("? "))
  if (end > 0) return head.slice(0, end + 1)
  const word = head.lastIndexOf(" ")
  return sentence(head.slice(0, word > 0 ? word : maxSpokenLength).replace(/[\uD800-\uDBFF]$/, ""))
}
