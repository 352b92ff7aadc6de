/**
 * Language of the page, German or English: the choice in this browser, else the account's setting, else the browser's
 * preference.
 */
import { effect, signal } from "@preact/signals"

export const languages = ["de", "en"] as const
export type Language = (typeof languages)[number]

const key = "signalbox.language"

const kept = (): Language | undefined => languages.find((one) => one === localStorage.getItem(key))
const asked = (): Language =>
  navigator.languages
    .map((tag) => tag.slice(0, 2).toLowerCase())
    .find((tag): tag is Language => tag === "de" || tag === "en") ?? "en"

export const language = signal<Language>(kept() ?? asked())

/** Stores the user's choice in this browser. */
export const choose = (chosen: Language): void => {
  localStorage.setItem(key, chosen)
  language.value = chosen
}

/** Applies the account's setting when no choice is stored in this browser. */
export const adopt = (locale: string): void => {
  if (kept() === undefined) language.value = locale.toLowerCase().startsWith("de") ? "de" : "en"
}

effect(() => {
  document.documentElement.lang = language.value
})

/**
 * Texts of a page in both languages; a text missing in one of them is a type error. Usage: `const t = words({ en, de
 * })`, then `t().title` in a component, which follows the language. Texts with numbers or names are functions.
 */
export const words =
  <W extends Readonly<Record<string, unknown>>>(all: { readonly en: W; readonly de: Same<NoInfer<W>> }): (() => W) =>
  () =>
    all[language.value] as W

type Same<W> = {
  readonly [K in keyof W]: W[K] extends string
    ? string
    : W[K] extends (...given: infer Given) => string
      ? (...given: Given) => string
      : W[K]
}
