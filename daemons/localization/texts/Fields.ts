/** Languages, keys and texts, as requests may write them. Pure. */
import { Schema } from "effect"
import { plainText } from "#core/http/Paging.ts"

/** The language of all source texts. */
export const sourceLocale = "en"

/** Languages that cannot be removed. Source: interface document 2 §7. */
export const keptLocales: ReadonlySet<string> = new Set(["de", sourceLocale])

/** Maximum number of languages. Reason: each keeps its bundle in memory, 10 MB for 50,000 texts. */
export const maxLanguages = 50

/** Maximum number of keys. Reason: twice the largest catalogue that the figures of the bench hold for. */
export const maxKeys = 100_000

/** Longest text. Unit: UTF-16 units. Reason: a paragraph of a mail; longer texts are documents. */
export const maxText = 5_000

/** Longest key. Unit: characters. Source: longest segment of a path that the router takes (`maxParamLength`). */
export const maxKey = 100

/** Longest name of a language. Unit: UTF-16 units. */
export const maxLabel = 60

/** A language tag in its usual spelling: language, script, region. Source: RFC 5646 §2.1, §2.1.1. */
const localeForm = /^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|\d{3}))?$/

export const Locale = Schema.String.check(Schema.isMaxLength(12), Schema.isPattern(localeForm))

/** A language in a path. Whether it exists is decided by the database. */
export const LocaleName = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9-]{1,12}$/))

/** A key of a text: parts of letters, digits, `_` and `-`, separated by `.` or `:`. */
export const Key = Schema.String.check(
  Schema.isMaxLength(maxKey),
  Schema.isPattern(/^[A-Za-z0-9][A-Za-z0-9_-]*(?:[.:][A-Za-z0-9_-]+)*$/)
)

/** Name of a language, in this language. */
export const Label = plainText(maxLabel)

/** Control characters except tab and line feed; Postgres stores neither NUL nor single surrogates. */
const unwritable = /[^\P{Cc}\t\n]/u

/** A text in any language. Whether it is a valid message is decided by Message.ts. */
export const Text = Schema.String.check(
  Schema.isMinLength(1),
  Schema.isMaxLength(maxText),
  Schema.makeFilter((text: string) =>
    unwritable.test(text) || !text.isWellFormed()
      ? "must not contain control characters, except tabs and line feeds"
      : undefined
  )
)

/**
 * States of a translation: out of date, missing, made by the engine, or written by a person. Lists have this order, so
 * that what needs work comes first.
 */
export const textStates = ["stale", "missing", "automatic", "manual"] as const
export const TextState = Schema.Literals(textStates)
