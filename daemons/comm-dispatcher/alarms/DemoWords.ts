import { shippedTexts } from "#core/words/ShippedTexts.ts"

/** Text of the demonstration alarm, in the language of the installation. */
export const demoWords = shippedTexts("comm-dispatcher.demo", {
  en: { body: "A demonstration: this alarm was delivered." },
  de: { body: "Eine Vorführung: dieser Alarm wurde zugestellt." }
})
