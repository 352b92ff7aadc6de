/** What the listener is doing, in the page's language. */
import { words } from "../../../lib/Language.ts"
import type { Tone } from "../../../parts/Badge.tsx"
import { fixed } from "../Figures.ts"
import type { FallbackReason, ListenerState, StopReason } from "../../../wake-word/WakeWord.ts"

const t = words({
  en: {
    off: "Not listening.",
    starting: "One moment: asks for the model and the microphone …",
    server: (word: string) => `Listens for “${word}”. The sound goes to this server.`,
    browser: (word: string) => `Listens for “${word}” in this browser. No sound leaves it.`,
    reconnecting: (attempt: number, attempts: number, seconds: string) =>
      `The connection is gone. Reconnect ${attempt} of ${attempts} in ${seconds} s.`,
    fallback: (word: string) =>
      `The browser's own recognition listens for “${word}”. Some browsers send the sound to their maker.`,
    stopped: "It has stopped.",
    no_model: "No model is active.",
    unavailable: "The model cannot run here.",
    server_gone: "The server is gone: all five reconnects failed.",
    microphone_refused: "The browser may not use the microphone. Allow it beside the address, and start again.",
    microphone_missing: "No microphone was found, or this page has no https.",
    recognition_failed: "The browser's own recognition does not work.",
    no_recognition: "This browser has no recognition of its own."
  },
  de: {
    off: "Es hört nichts zu.",
    starting: "Einen Moment: Modell und Mikrofon werden geöffnet …",
    server: (word: string) => `Hört auf „${word}“. Der Ton geht zu diesem Server.`,
    browser: (word: string) => `Hört in diesem Browser auf „${word}“. Kein Ton verlässt ihn.`,
    reconnecting: (attempt: number, attempts: number, seconds: string) =>
      `Die Verbindung ist weg. Versuch ${attempt} von ${attempts} in ${seconds} s.`,
    fallback: (word: string) =>
      `Die Erkennung des Browsers hört auf „${word}“. Manche Browser schicken den Ton an ihren Hersteller.`,
    stopped: "Es hat aufgehört.",
    no_model: "Kein Modell ist aktiv.",
    unavailable: "Das Modell kann hier nicht laufen.",
    server_gone: "Der Server ist weg: Alle fünf Versuche sind gescheitert.",
    microphone_refused: "Der Browser darf das Mikrofon nicht verwenden. Erlauben Sie es neben der Adresse.",
    microphone_missing: "Es wurde kein Mikrofon gefunden, oder diese Seite hat kein https.",
    recognition_failed: "Die Erkennung des Browsers geht nicht.",
    no_recognition: "Dieser Browser hat keine eigene Erkennung."
  }
})

export const reasonText = (reason: StopReason): string => t()[reason]

const fallbackReasons: ReadonlyArray<StopReason> = [
  "no_model",
  "unavailable",
  "server_gone"
] satisfies ReadonlyArray<FallbackReason>

export const stateText = (state: ListenerState): string => {
  switch (state.kind) {
    case "off":
      return t().off
    case "starting":
      return t().starting
    case "listening":
      return t()[state.by](state.model.word)
    case "reconnecting":
      return t().reconnecting(state.attempt, state.attempts, fixed(state.delay / 1000, 1))
    case "fallback":
      return `${reasonText(state.reason)} ${t().fallback(state.word)}`
    case "stopped":
      return [
        t().stopped,
        reasonText(state.reason),
        ...(fallbackReasons.includes(state.reason) ? [t().no_recognition] : [])
      ].join(" ")
  }
}

export const stateTone = ({ kind }: ListenerState): Tone => {
  switch (kind) {
    case "listening":
      return "success"
    case "reconnecting":
    case "fallback":
      return "warning"
    case "stopped":
      return "error"
    default:
      return "quiet"
  }
}
