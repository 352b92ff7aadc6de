/** Details of this daemon's health report. Code states them in English; core finds them by that sentence. */
import { shippedTexts } from "#core/words/ShippedTexts.ts"

shippedTexts("mail-watcher.health", {
  en: { notWatched: "{count} of our own mailboxes cannot be watched" },
  de: { notWatched: "{count} eigene Postfächer lassen sich nicht beobachten" }
})
