/** Implementation of the commands of languages and texts. */
import { Effect, Option, Schema } from "effect"
import { fail } from "#core/cli/Ending.ts"
import { minute } from "#core/cli/Moment.ts"
import { columns, print } from "#core/cli/Output.ts"
import * as Audit from "#core/log/Audit.ts"
import { inOneTransaction, told } from "../OperatorStore.ts"
import { Key, Label, Locale, Text } from "./Fields.ts"
import * as History from "./History.ts"
import * as Languages from "./Languages.ts"
import * as TextList from "./TextList.ts"
import * as Texts from "./Texts.ts"

interface Flags {
  readonly json: boolean
}

interface InLanguage extends Flags {
  readonly locale: string
}

interface OfText extends InLanguage {
  readonly key: string
}

const by: Languages.Author = { actor: Audit.operator }

const checked = (schema: Schema.Codec<string, string>, value: string, what: string) =>
  Schema.is(schema)(value) ? Effect.void : Effect.fail(fail(`${JSON.stringify(value)} is no ${what}.`))

export const languages = Effect.fnUntraced(function* ({ json }: Flags) {
  const found = yield* inOneTransaction(TextList.statistics())
  yield* print(json, found, ({ languages, total_keys }) => [
    ...columns([
      ["LANGUAGE", "NAME", "TRANSLATED", "AUTOMATIC", "MANUAL", "STALE"],
      ...languages.map((row) =>
        [row.code, row.label, share(row.translated, row.total), row.auto, row.manual, row.stale].map(String)
      )
    ]),
    `${total_keys} texts`
  ])
})

const share = (part: number, whole: number): string => (whole === 0 ? "-" : `${Math.floor((part / whole) * 100)} %`)

export const add = Effect.fnUntraced(function* ({ json, label, locale }: InLanguage & { readonly label: string }) {
  yield* checked(Locale, locale, "language tag such as de or pt-BR")
  yield* checked(Label, label, "name of a language")
  const made = yield* inOneTransaction(Languages.add({ code: locale, label }, by)).pipe(
    Effect.catchTags({ LanguageExists: told, TooManyTexts: told })
  )
  yield* print(json, made, ({ code }) => [`language ${code} added`])
})

export const remove = Effect.fnUntraced(function* ({ json, locale }: InLanguage) {
  yield* inOneTransaction(Languages.remove(locale, by)).pipe(
    Effect.catchTags({ NotFound: told, LanguageRequired: told })
  )
  yield* print(json, { removed: locale }, ({ removed }) => [`language ${removed} removed`])
})

export const forget = Effect.fnUntraced(function* ({ json, locale }: InLanguage) {
  const forgotten = yield* inOneTransaction(Texts.forget(locale, by)).pipe(Effect.catchTag("NotFound", told))
  yield* print(json, { forgotten }, () => [`${forgotten} automatic translations forgotten`])
})

export const texts = Effect.fnUntraced(function* (
  flags: InLanguage & {
    readonly search: Option.Option<string>
    readonly state: Option.Option<TextList.State>
    readonly limit: number
  }
) {
  const filter = { q: Option.getOrUndefined(flags.search), state: Option.getOrUndefined(flags.state) }
  const rows = yield* inOneTransaction(
    Effect.andThen(Languages.get(flags.locale), TextList.list(flags.locale, filter, undefined, flags.limit))
  ).pipe(Effect.catchTag("NotFound", told))
  yield* print(flags.json, rows, (found) =>
    columns([
      ["STATE", "KEY", "ENGLISH", "TEXT"],
      ...found.map((row) => [row.state, row.key, shown(row.source), shown(row.value ?? "-")])
    ])
  )
})

/** Longest text of a column. Unit: characters. */
const maxShown = 60

const shown = (text: string): string => {
  const line = text.replace(/[\p{C}\s]+/gu, " ")
  return line.length > maxShown ? `${line.slice(0, maxShown - 1)}…` : line
}

export const set = Effect.fnUntraced(function* ({ json, key, locale, value }: OfText & { readonly value: string }) {
  yield* checked(Key, key, "key such as shop.title")
  yield* checked(Text, value, "text")
  const stored = yield* inOneTransaction(Texts.put(locale, key, value, by)).pipe(
    Effect.catchTags({ NotFound: told, InvalidMessage: told, TooManyTexts: told })
  )
  yield* print(json, stored, () => [`${key} set in ${locale}`])
})

export const reset = Effect.fnUntraced(function* ({ json, key, locale }: OfText) {
  yield* inOneTransaction(Texts.revert(locale, key, by)).pipe(Effect.catchTag("NotFound", told))
  yield* print(json, { locale, key }, () => [`${key} reset in ${locale}`])
})

export const history = Effect.fnUntraced(function* ({ json, key, limit, locale }: OfText & { readonly limit: number }) {
  const rows = yield* inOneTransaction(History.list(locale, key, undefined, limit))
  yield* print(json, rows, (found) =>
    columns([
      ["AT", "CHANGE", "BY", "TEXT"],
      ...found.map((row) => [minute(row.at), row.kind, row.actor, shown(row.after ?? "-")])
    ])
  )
})
