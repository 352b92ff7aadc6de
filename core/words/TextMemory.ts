/**
 * Languages that are offered, and texts that people wrote or an engine translated in place of those that ship: the
 * memory of this process. Filled by StoredTexts.ts from the database; without it there are English and German, as they
 * ship. Reads are synchronous and cheap.
 */

/** Code of an offered language: `de`, `pt-BR`. A language that is offered no more counts as English. */
export type LanguageCode = string

export interface OfferedLanguage {
  readonly code: LanguageCode
  /** Its name, in the language itself. */
  readonly label: string
}

export interface LanguageRow extends OfferedLanguage {
  readonly removed: boolean
}

export interface TextRow {
  readonly locale: LanguageCode
  readonly key: string
  /** Null: the shipped text holds again. */
  readonly value: string | null
}

/** Languages whose texts ship. The first one stands for missing texts. */
const shipped: ReadonlyArray<OfferedLanguage> = [
  { code: "en", label: "English" },
  { code: "de", label: "Deutsch" }
]

let offered = shipped
let version = 0
const texts = new Map<LanguageCode, Map<string, string>>()
const listeners = new Set<() => void>()

const changed = (): void => {
  version++
  for (const listener of listeners) listener()
}

/** All languages: the shipped ones, then the others by code. */
export const offeredLanguages = (): ReadonlyArray<OfferedLanguage> => offered

export const isOffered = (code: string): boolean => offered.some((one) => one.code === code)

/** Grows with each change. What is made of texts is valid while it stays. */
export const textVersion = (): number => version

/** The text in place of the shipped one. */
export const writtenText = (code: LanguageCode, key: string): string | undefined => texts.get(code)?.get(key)

/** Calls `listener` after each change, until the returned function is called. */
export const onTextChange = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Rows may arrive again; only a difference counts as a change. */
export const putLanguages = (rows: ReadonlyArray<LanguageRow>): void => {
  const all = new Map(offered.map((language) => [language.code, language]))
  for (const { code, label, removed } of rows) {
    if (!removed) all.set(code, { code, label })
    else if (!isShipped(code)) all.delete(code)
  }
  const further = [...all.values()].filter(({ code }) => !isShipped(code))
  const next = [
    ...shipped.map((language) => all.get(language.code) ?? language),
    ...further.toSorted((a, b) => (a.code < b.code ? -1 : 1))
  ]
  if (JSON.stringify(next) === JSON.stringify(offered)) return
  offered = next
  changed()
}

const isShipped = (code: string): boolean => shipped.some((language) => language.code === code)

/** Rows may arrive again; only a difference counts as a change. */
export const putTexts = (rows: ReadonlyArray<TextRow>): void => {
  let differs = false
  for (const { key, locale, value } of rows) {
    let held = texts.get(locale)
    if (held === undefined) texts.set(locale, (held = new Map()))
    if ((held.get(key) ?? null) === value) continue
    differs = true
    if (value === null) held.delete(key)
    else held.set(key, value)
  }
  if (differs) changed()
}

/** Forgets everything that did not ship. For a process that begins with another database, as in tests. */
export const forgetAll = (): void => {
  offered = shipped
  texts.clear()
  changed()
}
