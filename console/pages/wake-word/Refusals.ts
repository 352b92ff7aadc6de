/** The server's errors about the wake word, in the page's language. */
import { words } from "../../lib/Language.ts"
import type { Problem } from "../../lib/Problem.ts"
import { refusedBy } from "../../parts/Refused.tsx"
import { told as toldOfFields } from "../telephony/Refusals.ts"

const t = words({
  en: {
    model_name_taken: "Another model has this name.",
    training_quota: "Too many trainings are open. Cancel one, or wait until one ends.",
    training_ended: "This training has ended already.",
    language_unknown: "No voice of this server speaks this language.",
    not_configured: "espeak-ng, which speaks the word for a training, is not installed: apt install espeak-ng",
    gate_refused: "The model is not good enough for activation.",
    model_active: "The model is active. Deactivate it first.",
    files_refused: "No file can be used.",
    payload_too_large: "The files are too large: at most 5 MB each and 24 MB together.",
    samples_full: "There are too many recordings. Delete some first.",
    word: "Use letters and digits: one word or a short phrase of at most 60 characters."
  },
  de: {
    model_name_taken: "Ein anderes Modell hat diesen Namen.",
    training_quota: "Zu viele Trainings sind offen. Brechen Sie eines ab, oder warten Sie, bis eines endet.",
    training_ended: "Dieses Training ist schon zu Ende.",
    language_unknown: "Keine Stimme dieses Servers spricht diese Sprache.",
    not_configured: "espeak-ng spricht das Wort für ein Training und ist nicht installiert: apt install espeak-ng",
    gate_refused: "Das Modell ist zum Aktivieren nicht gut genug.",
    model_active: "Das Modell ist aktiv. Deaktivieren Sie es zuerst.",
    files_refused: "Keine Datei ist brauchbar.",
    payload_too_large: "Die Dateien sind zu groß: höchstens 5 MB je Datei und 24 MB zusammen.",
    samples_full: "Es gibt zu viele Aufnahmen. Löschen Sie erst einige.",
    word: "Buchstaben und Ziffern: ein Wort oder eine kurze Wendung mit höchstens 60 Zeichen."
  }
})

interface FieldProblem {
  readonly field: string
}

/** Text of an error. Pure, except for the language. */
export const told = (problem: Problem): string => {
  const all = t()
  if (problem.code in all && problem.code !== "word") return all[problem.code as keyof typeof all]
  const errors = problem.fields["errors"]
  if (Array.isArray(errors) && (errors as ReadonlyArray<FieldProblem>).some(({ field }) => /\bword$/.test(field)))
    return all.word
  return toldOfFields(problem)
}

/** Shows the error of an action. */
export const Refused = refusedBy(told)
