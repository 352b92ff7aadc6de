/** Speaks the caller's name between the first two rings, in the customer's language, unless the user turned it off. */
import { language } from "../lib/Language.ts"
import { wants } from "../lib/Told.ts"
import type { IncomingCall } from "./Calls.ts"

/** Delay before speaking. Unit: milliseconds. Reason: the first ring lasts a second. */
const pause = 1_200

type Announced = Pick<IncomingCall, "caller_id" | "customer">

const texts = {
  en: (who: string | undefined) =>
    who === undefined ? "Incoming call from an unknown number" : `Incoming call from ${who}`,
  de: (who: string | undefined) => (who === undefined ? "Anruf von unbekannter Nummer" : `Anruf von ${who}`)
} as const

/** Text to speak and its language (BCP 47). Digits are spoken one by one. Pure. */
export const announcement = (
  { caller_id, customer }: Announced,
  page: "en" | "de"
): { readonly text: string; readonly lang: string } => {
  const lang = customer?.locale ?? page
  const words = /^de\b/i.test(lang) ? texts.de : texts.en
  return {
    text: words(customer?.name ?? (/\d/.test(caller_id) ? [...caller_id].join(" ") : undefined)),
    lang: /^(de|en)\b/i.test(lang) ? lang : "en"
  }
}

/** Speaks the announcement and returns a function that stops it. */
export const announce = (call: Announced): (() => void) => {
  if (!("speechSynthesis" in globalThis) || !wants("call.incoming", "speech")) return () => {}
  const { lang, text } = announcement(call, language.peek())
  const spoken = new SpeechSynthesisUtterance(text)
  spoken.lang = lang
  const timer = setTimeout(() => speechSynthesis.speak(spoken), pause)
  return () => {
    clearTimeout(timer)
    speechSynthesis.cancel()
  }
}
