/** Why a source of services gives no answer, for readers. SourceError.ts states it in English; core finds it here. */
import { shippedTexts } from "#core/words/ShippedTexts.ts"

shippedTexts("watchdog.results", {
  en: {
    engineAbsent: "the container engine is not there",
    helperAbsent: "the root helper is not there",
    engineSlow: "the container engine did not answer within {milliseconds} ms",
    helperSlow: "the root helper did not answer within {milliseconds} ms",
    logSlow: "the log did not answer within {milliseconds} ms",
    helperTooLong: "the answer of the root helper is too long",
    noBus: "Failed to connect to bus: {why}",
    helperNotListed: "the settings of the root helper do not list this service"
  },
  de: {
    engineAbsent: "Die Container-Engine ist nicht da.",
    helperAbsent: "Der Root-Helfer ist nicht da.",
    engineSlow: "Die Container-Engine hat nicht innerhalb von {milliseconds} ms geantwortet.",
    helperSlow: "Der Root-Helfer hat nicht innerhalb von {milliseconds} ms geantwortet.",
    logSlow: "Das Protokoll hat nicht innerhalb von {milliseconds} ms geantwortet.",
    helperTooLong: "Die Antwort des Root-Helfers ist zu lang.",
    noBus: "Keine Verbindung zu systemd: {why}",
    helperNotListed: "Die Einstellungen des Root-Helfers nennen diesen Dienst nicht."
  }
})
