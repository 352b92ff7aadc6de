/** Details of this daemon's health report. Code states them in English; core finds them by that sentence. */
import { shippedTexts } from "#core/words/ShippedTexts.ts"

shippedTexts("identity.health", {
  en: { noKey: "there is no valid signing key", seeActor: "see the last failure of the actor `signing keys`" },
  de: {
    noKey: "es gibt keinen gültigen Signaturschlüssel",
    seeActor: "siehe den letzten Fehler des Akteurs `signing keys`"
  }
})
