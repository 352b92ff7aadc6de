/** The server's errors about languages and texts, in the page's language. */
import { language, words } from "../../lib/Language.ts"
import type { Problem } from "../../lib/Problem.ts"
import { refusedBy } from "../../parts/Refused.tsx"

const t = words({
  en: {
    language_exists: "This language exists already.",
    language_required: "German and English cannot be removed.",
    rebuild_active: "A translation is under way. Wait for its end, or cancel it.",
    not_configured: "No translation server is configured (SIGNALBOX_TRANSLATE_URL).",
    payload_too_large: "The file is too large: at most 16 MiB.",
    away: "The server does not answer.",
    forbidden: "You may not do this.",
    gone: "It no longer exists.",
    code: "The code must be a language tag such as fr or pt-BR.",
    unknown: (names: string) => `The English text does not have: ${names}.`
  },
  de: {
    language_exists: "Diese Sprache gibt es schon.",
    language_required: "Deutsch und Englisch lassen sich nicht entfernen.",
    rebuild_active: "Eine Übersetzung läuft schon. Warten Sie ihr Ende ab, oder brechen Sie sie ab.",
    not_configured: "Kein Übersetzungsserver ist eingerichtet (SIGNALBOX_TRANSLATE_URL).",
    payload_too_large: "Die Datei ist zu groß: höchstens 16 MiB.",
    away: "Der Server antwortet nicht.",
    forbidden: "Das dürfen Sie nicht.",
    gone: "Es existiert nicht mehr.",
    code: "Das Kürzel muss eine Sprache nennen, etwa fr oder pt-BR.",
    unknown: (names: string) => `Das kommt im englischen Text nicht vor: ${names}.`
  }
})

/** Patterns of the server's English sentences, with the German sentence for each. Other sentences stay English. */
const german: ReadonlyArray<readonly [RegExp, (...found: ReadonlyArray<string>) => string]> = [
  [/^the key does not exist$/i, () => "Den Schlüssel gibt es nicht"],
  [/^the english text has changed since the export$/i, () => "Der englische Text ist seit dem Export ein anderer"],
  [/^the text is too long or has control characters$/i, () => "Der Text ist zu lang oder enthält Steuerzeichen"],
  [/^the english text does not have (.+)$/i, (names) => `Im englischen Text kommt nicht vor: ${names}`],
  [/^The text has empty braces(.*)$/i, (at) => `Der Text enthält leere Klammern${place(at)}`],
  [/^The text has a brace that is not closed(.*)$/i, (at) => `Im Text ist eine Klammer nicht geschlossen${place(at)}`],
  [/^The text has a plural or selection without other(.*)$/i, (at) => `Im Text fehlt die Form other${place(at)}`],
  [/^The text lacks the type of a placeholder(.*)$/i, (at) => `Im Text fehlt die Art eines Platzhalters${place(at)}`],
  [
    /^The text has a placeholder of an unknown type(.*)$/i,
    (at) => `Die Art eines Platzhalters ist unbekannt${place(at)}`
  ],
  [/^The text has a placeholder that is no name(.*)$/i, (at) => `Ein Platzhalter ist kein Name${place(at)}`],
  [/^The text is not a valid message(.*)$/i, () => "Der Text ist keine gültige Nachricht"]
]

const place = (at: string | undefined): string => {
  const found = /at character (\d+)/.exec(at ?? "")
  return found === null ? "" : `, bei Zeichen ${found[1]}`
}

/** A sentence of the server in the page's language, or in English when it has no translation. */
export const said = (sentence: string): string => {
  if (language.value !== "de") return sentence
  for (const [pattern, write] of german) {
    const found = pattern.exec(sentence.replace(/\.$/, ""))
    if (found !== null) return write(...found.slice(1))
  }
  return sentence
}

/** The error as text. */
export const told = (problem: Problem): string => {
  const { code, fields, message, status } = problem
  if (status === 0) return t().away
  if (status === 403) return t().forbidden
  if (status === 404) return t().gone
  if (code === "invalid_message") {
    const names = fields["placeholders"]
    return Array.isArray(names) && names.length > 0 ? t().unknown(names.join(", ")) : said(message)
  }
  if (code === "invalid_request") {
    const errors = fields["errors"]
    const all = Array.isArray(errors)
      ? (errors as ReadonlyArray<{ readonly field?: unknown; readonly message?: unknown }>)
      : []
    return all.some(({ field }) => field === "payload.code")
      ? t().code
      : all.map(({ message }) => said(String(message ?? ""))).join(" ")
  }
  const known: Readonly<Record<string, string>> = {
    language_exists: t().language_exists,
    language_required: t().language_required,
    rebuild_active: t().rebuild_active,
    not_configured: t().not_configured,
    payload_too_large: t().payload_too_large
  }
  return known[code] ?? message
}

/** Shows the error of an action. */
export const Refused = refusedBy(told)
