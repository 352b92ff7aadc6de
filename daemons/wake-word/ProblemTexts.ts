/**
 * Titles and details of this daemon's problems, and faults of fields. Code states them in English; core finds them by
 * that sentence.
 */
import { shippedTexts } from "#core/words/ShippedTexts.ts"

shippedTexts("wake-word.problems", {
  en: {
    nameTaken: "Another model has this name",
    trainingQuota: "The tenant has too many open trainings",
    trainingEnded: "The training has ended",
    languageUnknown: "No voice speaks this language",
    gateRefused: "The model does not reach the bounds for activation",
    modelActive: "The model is active",
    filesRefused: "No file can be used",
    samplesFull: "The tenant has too many recordings",
    noModelActive: "No model is active, or its extractor has no such file.",
    platformOnly: "Only platform tokens may name a tenant.",
    noEspeak: "espeak-ng, which speaks the word for a training, is not installed: apt install espeak-ng",
    noVoice: "No voice speaks {language}.",
    noTraining: "The training does not exist.",
    openLimit: "At most {count} trainings of a tenant may wait or run.",
    modelLimit: "A tenant may have {count} models; delete some.",
    modelOrTraining: "There is a model, or an open training, named {name}.",
    trainingOver: "The training has ended already.",
    noModel: "The model does not exist.",
    belowBounds: "The model {name} does not reach the bounds.",
    activateOther: "Activate another model, or deactivate {name}, before deleting it.",
    noFileUsable: "No file can be used.",
    uploadLimits: "At most {file} bytes for a file and {all} bytes together.",
    sampleLimit: "A tenant may have {count} recordings; delete some.",
    noRecording: "The recording does not exist."
  },
  de: {
    nameTaken: "Diesen Namen hat schon ein anderes Modell",
    trainingQuota: "Der Mandant hat zu viele offene Trainings",
    trainingEnded: "Das Training ist zu Ende",
    languageUnknown: "Keine Stimme spricht diese Sprache",
    gateRefused: "Das Modell erreicht die Grenzwerte für die Aktivierung nicht",
    modelActive: "Das Modell ist aktiv",
    filesRefused: "Keine Datei ist brauchbar",
    samplesFull: "Der Mandant hat zu viele Aufnahmen",
    noModelActive: "Kein Modell ist aktiv, oder sein Extraktor hat diese Datei nicht.",
    platformOnly: "Nur Tokens der Plattform dürfen einen Mandanten nennen.",
    noEspeak: "espeak-ng, das im Training das Wort spricht, ist nicht installiert: apt install espeak-ng",
    noVoice: "Keine Stimme spricht {language}.",
    noTraining: "Dieses Training gibt es nicht.",
    openLimit: "Höchstens {count} Trainings eines Mandanten dürfen warten oder laufen.",
    modelLimit: "Ein Mandant darf {count} Modelle haben; löschen Sie einige.",
    modelOrTraining: "Es gibt schon ein Modell oder ein offenes Training namens {name}.",
    trainingOver: "Das Training ist schon zu Ende.",
    noModel: "Dieses Modell gibt es nicht.",
    belowBounds: "Das Modell {name} erreicht die Grenzwerte nicht.",
    activateOther: "Aktivieren Sie vor dem Löschen ein anderes Modell, oder deaktivieren Sie {name}.",
    noFileUsable: "Keine Datei ist brauchbar.",
    uploadLimits: "Höchstens {file} Bytes je Datei und {all} Bytes zusammen.",
    sampleLimit: "Ein Mandant darf {count} Aufnahmen haben; löschen Sie einige.",
    noRecording: "Diese Aufnahme gibt es nicht."
  }
})

shippedTexts("wake-word.fields", {
  en: {
    unknownField: "The form has an unknown field.",
    filesField: "Files belong to the field `files`.",
    brokenForm: "The body is not a readable multipart form.",
    mustSha256Lower: "must be a SHA-256 in lower-case hexadecimal",
    mostFiles: "at most {most} files",
    mustWordShortPhrase: "must be a word or a short phrase of letters and digits",
    mustHaveFile: "must have a file"
  },
  de: {
    unknownField: "Das Formular hat ein unbekanntes Feld.",
    filesField: "Dateien gehören in das Feld `files`.",
    brokenForm: "Der Inhalt ist kein lesbares Formular (multipart).",
    mustSha256Lower: "muss eine SHA-256 in hexadezimalen Kleinbuchstaben sein",
    mostFiles: "höchstens {most} Dateien",
    mustWordShortPhrase: "muss ein Wort oder eine kurze Wendung aus Buchstaben und Ziffern sein",
    mustHaveFile: "braucht eine Datei"
  }
})
