/** Details of this daemon's health report. Code states them in English; core finds them by that sentence. */
import { shippedTexts } from "#core/words/ShippedTexts.ts"

shippedTexts("wake-word.health", {
  en: { noSpeech: "espeak-ng is not installed: apt install espeak-ng" },
  de: { noSpeech: "espeak-ng ist nicht installiert: apt install espeak-ng" }
})
