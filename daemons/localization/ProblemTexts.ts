/**
 * Titles and details of this daemon's problems, and faults of fields. Code states them in English; core finds them by
 * that sentence.
 */
import { shippedTexts } from "#core/words/ShippedTexts.ts"

shippedTexts("localization.problems", {
  en: {
    textFault: "The text {fault}.",
    rebuildActive: "A rebuild is under way",
    languageExists: "The language exists already",
    languageRequired: "The language cannot be removed",
    tooManyTexts: "There are too many languages or keys",
    invalidMessage: "The text is not a valid message",
    noServer: "No translation server is configured.",
    noRebuild: "The rebuild does not exist.",
    rebuildWait: "Wait for its end, or cancel it.",
    fileUnreadable: "The file cannot be read: {reason}.",
    noKey: "The key does not exist.",
    unknownPlaceholders: "The English text does not have these placeholders, or uses them otherwise: {names}.",
    missingPlaceholders: "The text lacks these placeholders: {names}.",
    keyLimit: "There may be at most {count} keys.",
    nobodyWrote: "Nobody has written this text.",
    noLanguage: "The language does not exist.",
    thisLanguageExists: "The language {code} exists already.",
    languageLimit: "There may be at most {count} languages.",
    thisLanguageStays: "The language {code} cannot be removed."
  },
  de: {
    textFault: "Der Text ist ungültig ({fault}).",
    rebuildActive: "Eine Übersetzung läuft schon",
    languageExists: "Diese Sprache gibt es schon",
    languageRequired: "Diese Sprache lässt sich nicht entfernen",
    tooManyTexts: "Es gibt zu viele Sprachen oder Schlüssel",
    invalidMessage: "Der Text ist keine gültige Nachricht",
    noServer: "Es ist kein Übersetzungsserver eingerichtet.",
    noRebuild: "Diese Übersetzung gibt es nicht.",
    rebuildWait: "Warten Sie ihr Ende ab, oder brechen Sie sie ab.",
    fileUnreadable: "Die Datei ist nicht lesbar: {reason}.",
    noKey: "Diesen Schlüssel gibt es nicht.",
    unknownPlaceholders: "Der englische Text hat diese Platzhalter nicht oder benutzt sie anders: {names}.",
    missingPlaceholders: "Dem Text fehlen diese Platzhalter: {names}.",
    keyLimit: "Es darf höchstens {count} Schlüssel geben.",
    nobodyWrote: "Diesen Text hat niemand geschrieben.",
    noLanguage: "Diese Sprache gibt es nicht.",
    thisLanguageExists: "Die Sprache {code} gibt es schon.",
    languageLimit: "Es darf höchstens {count} Sprachen geben.",
    thisLanguageStays: "Die Sprache {code} lässt sich nicht entfernen."
  }
})

shippedTexts("localization.fields", {
  en: {
    mustNameColumnsKey: "must name the columns key and translation",
    mustNotEnLanguage: "must not be en, the language of the source",
    mustNotContainControl: "must not contain control characters, except tabs and line feeds",
    notValueNextAfter: "is not a value of next_after"
  },
  de: {
    mustNameColumnsKey: "muss die Spalten key und translation nennen",
    mustNotEnLanguage: "darf nicht en sein, die Sprache der Vorlage",
    mustNotContainControl: "darf keine Steuerzeichen außer Tabulatoren und Zeilenumbrüchen enthalten",
    notValueNextAfter: "ist kein Wert aus next_after"
  }
})
