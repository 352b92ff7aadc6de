/**
 * Texts for people of servers: pages, mails, notifications. A text is declared once, in English and German, beside what
 * shows it. The daemon localization registers all of them, so operators can write others, and add languages
 * (StoredTexts.ts). Texts are plain text: a page or mail in HTML escapes them.
 *
 * Usage: `const words = shippedTexts("edge-auth.pages", { en, de })`, then `words(language).title`. A text with
 * placeholders is a function of their values: `words(language).to({ host })`. Placeholders are those of ICU
 * MessageFormat, so plurals are texts too.
 */
import { Result } from "effect"
import { formatted, type Values } from "./Formatted.ts"
import { type Message, readMessage, unknownPlaceholders } from "./Message.ts"
import type { PlaceholdersOf } from "./Placeholders.ts"
import { isOffered, type LanguageCode, textVersion, writtenText } from "./TextMemory.ts"

/** Texts by name, in groups and lists. */
export interface TextTree {
  readonly [name: string]: string | ReadonlyArray<string> | TextTree
}

/** The same texts in another language. */
type Same<T> = { readonly [K in keyof T]: T[K] extends string ? string : Same<T[K]> }

/** A text whose type has forgotten its words has placeholders that nobody knows. */
type Long = { readonly longTextsNeed: "long(…)" }

type Said<Text extends string> = string extends Text
  ? Long
  : [PlaceholdersOf<Text>] extends [never]
    ? string
    : (values: { readonly [Name in PlaceholdersOf<Text>]: string | number }) => string

/** Texts as code reads them. */
export type Words<T> = { readonly [K in keyof T]: T[K] extends string ? Said<T[K]> : Words<T[K]> }

type Joined<Parts extends ReadonlyArray<string>, Before extends string = ""> = Parts extends readonly [
  infer First extends string,
  ...infer Rest extends ReadonlyArray<string>
]
  ? Joined<Rest, `${Before}${First}`>
  : Before

/** A text of several lines of code. Unlike `+` it keeps the type of the text, and so its placeholders. */
export const long = <const Parts extends ReadonlyArray<string>>(...parts: Parts): Joined<Parts> =>
  // `join` returns a plain string for the compiler; `Joined` is the type of that same text.
  parts.join("") as Joined<Parts>

export interface ShippedText {
  readonly en: string
  readonly de: string
}

const all = new Map<string, ShippedText>()

/** Every declared text of the modules that this process has loaded, by key. */
export const declaredTexts = (): ReadonlyMap<string, ShippedText> => all

/** Begin of the keys of all texts that are declared here. Other programs' keys begin otherwise. */
export const serverKeys = "server."

/**
 * Declares texts. `name`: daemon and subject, unique: `edge-auth.pages`. Returns the texts of a language; a language
 * that is not offered gets English.
 */
export const shippedTexts = <const En extends TextTree>(
  name: string,
  { de, en }: { readonly en: En; readonly de: Same<NoInfer<En>> }
): ((language: LanguageCode) => Words<En>) => {
  const key = `${serverKeys}${name}`
  register(key, en, de)
  const made = new Map<LanguageCode, Words<En>>()
  let version = textVersion()
  return (language) => {
    if (version !== textVersion()) {
      made.clear()
      version = textVersion()
    }
    const code = isOffered(language) ? language : "en"
    let words = made.get(code)
    // The tree has the form of `En`; its leaves are those that `Said` describes.
    if (words === undefined) made.set(code, (words = wordsOf(key, en, code) as Words<En>))
    return words
  }
}

type Branch = TextTree | ReadonlyArray<string>

const register = (key: string, en: Branch, de: unknown): void => {
  for (const [name, text] of Object.entries<string | Branch>(en)) {
    const other = (de as Readonly<Record<string, unknown>>)[name]
    const at = `${key}.${name}`
    if (typeof text !== "string") register(at, text, other)
    else if (typeof other !== "string") throw new Error(`the text ${at} has no German`)
    else all.set(at, { en: text, de: other })
  }
}

const wordsOf = (key: string, en: Branch, code: LanguageCode): unknown => {
  const entries = Object.entries<string | Branch>(en).map(([name, text]) => {
    const at = `${key}.${name}`
    return [name, typeof text === "string" ? said(at, code) : wordsOf(at, text, code)] as const
  })
  return Array.isArray(en) ? entries.map(([, text]) => text) : Object.fromEntries(entries)
}

/** The text of a declared key in a language, with these values. For code that finds keys by their English text. */
export const textOf = (key: string, language: LanguageCode, values: Values): string => {
  const text = said(key, isOffered(language) ? language : "en")
  return typeof text === "string" ? text : text(values)
}

/** A text, or a function of its values. */
const said = (key: string, code: LanguageCode): string | ((values: Values) => string) => {
  const { message, source } = shownMessage(key, code)
  return source.placeholders.size === 0
    ? formatted(message, code, {})
    : (values: Values) => formatted(message, code, values)
}

/** The first text that is a message and uses only placeholders that the code fills. */
const shownMessage = (key: string, code: LanguageCode): { readonly message: Message; readonly source: Message } => {
  const { de, en } = all.get(key)!
  const source = Result.getOrThrow(readMessage(en))
  for (const text of [writtenText(code, key), code === "de" ? de : writtenText("en", key)]) {
    if (text === undefined) continue
    const read = readMessage(text)
    if (Result.isSuccess(read) && unknownPlaceholders(source, read.success).length === 0)
      return { message: read.success, source }
  }
  return { message: source, source }
}
