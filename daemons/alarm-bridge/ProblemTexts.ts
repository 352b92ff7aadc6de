/** Titles and details of this daemon's problems. Code states them in English; core finds them by that sentence. */
import { shippedTexts } from "#core/words/ShippedTexts.ts"

shippedTexts("alarm-bridge.problems", {
  en: { providerOnly: "Only the provider's users may see the alarm mailboxes." },
  de: { providerOnly: "Nur Benutzer des Anbieters dürfen die Alarmpostfächer sehen." }
})
