/** Details of this daemon's health report. Code states them in English; core finds them by that sentence. */
import { shippedTexts } from "#core/words/ShippedTexts.ts"

shippedTexts("dns-verifier.health", {
  en: {
    failed: "the last {count} checks failed",
    seeLog: "the log has the errors",
    nobodyAnswers: "neither resolvers nor name servers answer",
    late: "{count} shards are a whole interval late"
  },
  de: {
    failed: "die letzten {count} Prüfungen sind fehlgeschlagen",
    seeLog: "die Fehler stehen im Protokoll",
    nobodyAnswers: "weder Resolver noch Nameserver antworten",
    late: "{count} Teilmengen sind ein ganzes Intervall im Rückstand"
  }
})
