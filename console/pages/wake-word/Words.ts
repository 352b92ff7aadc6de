/** Words for phases, states, sizes and languages of trainings. */
import { words } from "../../lib/Language.ts"
import type { Tone } from "../../parts/Badge.tsx"
import type { Phase, Training } from "./Shapes.ts"

const phaseWords = words<Record<Phase, string>>({
  en: {
    samples_tts: "Speak the word with synthetic voices",
    samples_upload: "Choose recordings",
    augment: "Add noise and rooms",
    features: "Compute features",
    train: "Train the network",
    validate: "Measure false accepts and misses",
    save: "Save the model"
  },
  de: {
    samples_tts: "Das Wort mit künstlichen Stimmen sprechen",
    samples_upload: "Aufnahmen auswählen",
    augment: "Rauschen und Räume dazugeben",
    features: "Merkmale berechnen",
    train: "Das Netz trainieren",
    validate: "Fehlauslösungen und Überhörtes messen",
    save: "Das Modell speichern"
  }
})

export const phaseWord = (phase: Phase): string => phaseWords()[phase]

const stateWords = words<Record<Training["state"], string>>({
  en: { waiting: "waiting", running: "running", done: "done", failed: "failed", cancelled: "cancelled" },
  de: { waiting: "wartet", running: "läuft", done: "fertig", failed: "fehlgeschlagen", cancelled: "abgebrochen" }
})

export const stateWord = (state: Training["state"]): string => stateWords()[state]

export const stateTones: Readonly<Record<Training["state"], Tone>> = {
  waiting: "quiet",
  running: "info",
  done: "success",
  failed: "error",
  cancelled: "quiet"
}

const sizeWords = words<Record<Training["size"], string>>({
  en: { small: "small", full: "full" },
  de: { small: "klein", full: "voll" }
})

export const sizeWord = (size: Training["size"]): string => sizeWords()[size]

const languageWords = words<Record<string, string>>({
  en: { de: "German", en: "English" },
  de: { de: "Deutsch", en: "Englisch" }
})

/** `language`: ISO 639-1. Shown as it is when it has no name here. */
export const languageWord = (language: string): string => languageWords()[language] ?? language
