/** Implementation of the commands of files with translations. */
import { Console, Effect, Option } from "effect"
import { readFileSync, statSync, writeFileSync } from "node:fs"
import { fail } from "#core/cli/Ending.ts"
import { columns, print } from "#core/cli/Output.ts"
import * as Audit from "#core/log/Audit.ts"
import { inOneTransaction, told } from "../OperatorStore.ts"
import { Languages } from "../texts/Exports.ts"
import { type FileFormat, maxFile } from "./Fields.ts"
import * as Files from "./Files.ts"
import * as Import from "./Import.ts"

interface Flags {
  readonly locale: string
  readonly file: string
  readonly format: Option.Option<FileFormat>
  readonly json: boolean
}

const formatOf = ({ file, format }: Flags): FileFormat =>
  Option.getOrElse(format, () => (/\.(?:xlf|xliff|xml)$/i.test(file) ? "xliff" : "csv"))

const reason = (error: unknown): string => (error instanceof Error ? error.message : "unknown")

export const exported = Effect.fnUntraced(function* (flags: Flags) {
  const { file, json, locale } = flags
  const text = yield* inOneTransaction(
    Effect.andThen(Languages.get(locale), Files.exported(locale, formatOf(flags), undefined))
  ).pipe(Effect.catchTag("NotFound", told))
  if (file === "-") return yield* Console.log(text)
  yield* Effect.try({
    try: () => writeFileSync(file, text),
    catch: (error) => fail(`${file} cannot be written: ${reason(error)}`)
  })
  yield* print(json, { file, locale }, () => [`texts of ${locale} written to ${file}`])
})

export const imported = Effect.fnUntraced(function* (flags: Flags) {
  const { file, json, locale } = flags
  if (!Files.isImportable(locale)) return yield* fail("English texts are the source; change them one by one with set.")
  const text = yield* Effect.try({
    try: () => {
      if (statSync(file).size > maxFile) throw new Error(`it has more than ${maxFile} bytes`)
      return readFileSync(file, "utf8")
    },
    catch: (error) => fail(`${file} cannot be read: ${reason(error)}`)
  })
  const entries = yield* Files.entriesOf(text, formatOf(flags)).pipe(Effect.catchTag("UnreadableFile", told))
  const result = yield* inOneTransaction(Import.apply(locale, entries, { actor: Audit.operator })).pipe(
    Effect.catchTag("NotFound", told)
  )
  yield* print(json, result, ({ changed, problems, refused, unchanged }) => [
    `${changed} texts stored, ${unchanged} unchanged, ${refused} refused`,
    ...columns(problems.map(({ at, message }) => [at, message]))
  ])
})
