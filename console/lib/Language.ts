/** German or English: as chosen here before, else as the account says, else as the browser asks. */
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

/** Chosen by a person: it stays on this machine. */
export const choose = (chosen: Language): void => {
  localStorage.setItem(key, chosen)
  language.value = chosen
}

/** What the account says, where nothing was chosen here. */
export const adopt = (locale: string): void => {
  if (kept() === undefined) language.value = locale.toLowerCase().startsWith("de") ? "de" : "en"
}

effect(() => {
  document.documentElement.lang = language.value
})

/**
 * The words of one page in both languages; a word that one of them lacks does not compile. `const t = words({ en: {…},
 * de: {…} })`, then `t().title`: read while rendering, it follows the language. Words with numbers or names in them are
 * functions.
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
