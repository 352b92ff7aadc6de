/**
 * Language of the page. After the sign-in it is the account's; a choice on a page changes the account. Before the
 * sign-in it is the choice in this browser, else the browser's preference. German and English ship with the console.
 * The daemon localization may override their texts and offer further languages, whose missing texts are English.
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

/** The last choice that the account took or that came from it. A choice that differs is still to be stored there. */
const agreedKey = "signalbox.language.account"

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

/** The language of a locale that can be chosen: the same one, else the one of the same primary language. */
const offeredAs = (locale: string): string => {
  const wanted = locale.toLowerCase()
  const same = offered.peek().find(({ code }) => code.toLowerCase() === wanted)
  return same?.code ?? offered.peek().find(({ code }) => code.toLowerCase() === wanted.split("-", 1)[0])?.code ?? "en"
}

/**
 * Applies the account's language, unless this browser has a choice that the account does not know yet. Returns that
 * choice, which the caller stores in the account.
 */
export const adopt = (locale: string): string | undefined => {
  const mine = kept()
  const code = offeredAs(locale)
  if (mine !== undefined && mine !== code && localStorage.getItem(agreedKey) !== mine) return mine
  if (mine !== undefined) agree(code)
  chosen.value = code
  return undefined
}

/** Notes that the account has this language. */
export const agree = (code: string): void => {
  localStorage.setItem(key, code)
  localStorage.setItem(agreedKey, code)
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
