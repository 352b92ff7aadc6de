/**
 * Titles and details of this daemon's problems, and faults of fields. Code states them in English; core finds them by
 * that sentence.
 */
import { shippedTexts } from "#core/words/ShippedTexts.ts"

shippedTexts("alarm-bridge.problems", {
  en: { providerOnly: "Only the provider's users may see the alarm mailboxes." },
  de: { providerOnly: "Nur Benutzer des Betreibers dürfen die Alarmpostfächer sehen." }
})

shippedTexts("alarm-bridge.fields", {
  en: {
    mustJsonArrayMailboxes: "must be a JSON array of mailboxes",
    mustNotHaveWhich: "must not have {name}, which only the environment may set",
    notValidJson: "is not valid JSON"
  },
  de: {
    mustJsonArrayMailboxes: "muss eine JSON-Liste von Postfächern sein",
    mustNotHaveWhich: "darf {name} nicht enthalten; das darf nur die Umgebung setzen",
    notValidJson: "ist kein gültiges JSON"
  }
})
