/** All texts in memory, and the bundle of a language. Pure; filled with rows by TextProjection.ts. */
import { fits, sourceLocale } from "../texts/Exports.ts"

export interface LanguageRow {
  readonly code: string
  readonly label: string
  readonly removed: boolean
}

export interface SourceRow {
  readonly key: string
  /** Null: the key was removed. */
  readonly value: string | null
  readonly source_hash: string | null
}

export interface TranslationRow extends SourceRow {
  readonly locale: string
}

interface Held {
  readonly value: string
  /** MD5 of the English text. */
  readonly hash: string
}

export interface TextBook {
  readonly putLanguages: (rows: ReadonlyArray<LanguageRow>) => void
  readonly putSources: (rows: ReadonlyArray<SourceRow>) => void
  readonly putTranslations: (rows: ReadonlyArray<TranslationRow>) => void
  /** By code. */
  readonly languages: () => ReadonlyArray<{ readonly code: string; readonly label: string }>
  readonly has: (locale: string) => boolean
  readonly size: () => number
  /** Grows with each change of the languages. */
  readonly languageVersion: () => number
  /** Grows with each change of the language's texts. */
  readonly version: (locale: string) => number
  /** Text that readers of the language get; undefined: no such key. */
  readonly text: (locale: string, key: string) => string | undefined
  /** The bundle of a language as JSON, by key. */
  readonly bundle: (locale: string) => string
}

export const make = (): TextBook => {
  const languages = new Map<string, string>()
  const english = new Map<string, Held>()
  const translations = new Map<string, Map<string, Held>>()
  const versions = new Map<string, number>()
  let languageVersion = 0
  // Counts changes of English texts, which change every bundle.
  let sourceVersion = 0
  let sorted: ReadonlyArray<string> | undefined

  const translated = (texts: Map<string, Held> | undefined, key: string, source: Held): string => {
    const held = texts?.get(key)
    if (held === undefined) return source.value
    // The placeholders of an up-to-date translation were compared when it was written.
    return held.hash === source.hash || fits(source.value, held.value) ? held.value : source.value
  }

  return {
    putLanguages: (rows) => {
      for (const { code, label, removed } of rows) {
        if (removed ? !languages.has(code) : languages.get(code) === label) continue
        if (removed) languages.delete(code)
        else languages.set(code, label)
        languageVersion++
      }
    },
    putSources: (rows) => {
      for (const { key, source_hash, value } of rows) {
        const known = english.get(key)
        if (value === null || source_hash === null ? known === undefined : known?.value === value) continue
        if (value === null || source_hash === null) english.delete(key)
        else english.set(key, { value, hash: source_hash })
        if (known === undefined || value === null) sorted = undefined
        sourceVersion++
      }
    },
    putTranslations: (rows) => {
      for (const { key, locale, source_hash, value } of rows) {
        let texts = translations.get(locale)
        if (texts === undefined) translations.set(locale, (texts = new Map()))
        const known = texts.get(key)
        if (value === null) {
          if (!texts.delete(key)) continue
        } else {
          const hash = source_hash ?? ""
          if (known?.value === value && known.hash === hash) continue
          texts.set(key, { value, hash })
        }
        versions.set(locale, (versions.get(locale) ?? 0) + 1)
      }
    },
    languages: () =>
      Array.from(languages, ([code, label]) => ({ code, label })).toSorted((a, b) => (a.code < b.code ? -1 : 1)),
    has: (locale) => languages.has(locale),
    size: () => english.size,
    languageVersion: () => languageVersion,
    version: (locale) => sourceVersion + (versions.get(locale) ?? 0),
    text: (locale, key) => {
      const source = english.get(key)
      if (source === undefined || locale === sourceLocale) return source?.value
      return translated(translations.get(locale), key, source)
    },
    bundle: (locale) => {
      sorted ??= Array.from(english.keys()).toSorted()
      const texts = locale === sourceLocale ? undefined : translations.get(locale)
      const members = sorted.map((key) => {
        const source = english.get(key)!
        const text = texts === undefined ? source.value : translated(texts, key, source)
        return `${JSON.stringify(key)}:${JSON.stringify(text)}`
      })
      return `{${members.join(",")}}`
    }
  }
}
