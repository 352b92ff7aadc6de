/**
 * Language of the page: the choice in this browser, else the account's setting, else the browser's preference. German
 * and English ship with the console. The daemon localization may override their texts and offer further languages,
 * whose missing texts are English.
 */
import { computed, effect, signal } from "@preact/signals"
import { filled } from "./Filled.ts"

/** Languages that ship with the console. */
export const languages = ["de", "en"] as const
export type Language = (typeof languages)[number]

/** A language that can be chosen. */
export interface Offered {
  readonly code: string
  readonly label: string
}

const key = "signalbox.language"

/** All languages that can be chosen. */
export const offered = signal<ReadonlyArray<Offered>>([
  { code: "de", label: "Deutsch" },
  { code: "en", label: "English" }
])

const isShipped = (code: string): code is Language => (languages as ReadonlyArray<string>).includes(code)

const kept = (): string | undefined => localStorage.getItem(key) ?? undefined
const asked = (): Language =>
  navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag): tag is Language => isShipped(tag)) ?? "en"

/** Code of the chosen language. */
export const chosen = signal<string>(kept() ?? asked())

/** The shipped language whose texts and formats are used where the chosen one has none. */
export const language = computed<Language>(() => (isShipped(chosen.value) ? chosen.value : "en"))

/** Stores the user's choice in this browser. */
export const choose = (code: string): void => {
  localStorage.setItem(key, code)
  chosen.value = code
}

/** Applies the account's setting when no choice is stored in this browser. */
export const adopt = (locale: string): void => {
  if (kept() === undefined) chosen.value = locale.toLowerCase().startsWith("de") ? "de" : "en"
}

/** Takes the list of languages. A stored choice of a language that exists no more is dropped. */
export const offer = (all: ReadonlyArray<Offered>): void => {
  offered.value = all
  if (!all.some(({ code }) => code === chosen.peek()) && !isShipped(chosen.peek())) {
    localStorage.removeItem(key)
    chosen.value = asked()
  }
}

effect(() => {
  document.documentElement.lang = chosen.value
})

/** The text of an answer that has each language, in the chosen one; missing ones are in the shipped language. */
export const textIn = (texts: { readonly en: string; readonly de: string; readonly [code: string]: string }): string =>
  texts[chosen.value] ?? texts[language.value]

/** Texts of one language by key, from the daemon localization. */
export interface Bundle {
  readonly code: string
  readonly texts: Readonly<Record<string, string>>
}

/** Undefined until it is loaded, and without the daemon. */
export const bundle = signal<Bundle | undefined>(undefined)

/** Keys of the texts of one call of `words`. The build adds it (texts/TextsPlugin.ts). */
export interface TextPlace {
  readonly key: string
  /** Parameters of functions, by path below the key. */
  readonly parameters: Readonly<Record<string, ReadonlyArray<string>>>
}

/**
 * Texts of a page in both languages; a text missing in one of them is a type error. Usage: `const t = words({ en, de
 * })`, then `t().title` in a component, which follows the language. Texts with numbers or names are functions.
 */
export const words = <W extends Readonly<Record<string, unknown>>>(
  all: { readonly en: W; readonly de: Same<NoInfer<W>> },
  place?: TextPlace
): (() => W) => {
  let latest: { readonly from: unknown; readonly by: Bundle; readonly words: W } | undefined
  return () => {
    const shipped = all[language.value] as W
    const by = bundle.value
    if (place === undefined || by === undefined || by.code !== chosen.value) return shipped
    if (latest?.from !== shipped || latest.by !== by)
      latest = { from: shipped, by, words: overridden(shipped, place, by.texts, "") as W }
    return latest.words
  }
}

const overridden = (
  shipped: Readonly<Record<string, unknown>>,
  place: TextPlace,
  texts: Bundle["texts"],
  path: string
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(shipped).map(([name, value]) => {
      const at = path === "" ? name : `${path}.${name}`
      if (typeof value === "object" && value !== null && !Array.isArray(value))
        return [name, overridden(value as Readonly<Record<string, unknown>>, place, texts, at)]
      const text = texts[`${place.key}.${at}`]
      if (text === undefined) return [name, value]
      if (typeof value === "string") return [name, text]
      const parameters = place.parameters[at]
      return typeof value !== "function" || parameters === undefined
        ? [name, value]
        : [
            name,
            (...given: ReadonlyArray<unknown>) =>
              filled(text, Object.fromEntries(parameters.map((parameter, index) => [parameter, given[index]])))
          ]
    })
  )

type Same<W> = {
  readonly [K in keyof W]: W[K] extends string
    ? string
    : W[K] extends (...given: infer Given) => string
      ? (...given: Given) => string
      : W[K]
}
