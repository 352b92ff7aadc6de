/** Writes a file with the translations of a language, and reads the entries of such a file. */
import { Effect, Schema } from "effect"
import { maxKeys, sourceLocale, TextList } from "../texts/Exports.ts"
import { readCsv, writeCsv } from "./Csv.ts"
import type { FileEntry, FileFormat } from "./Fields.ts"
import { readXliff, writeXliff } from "./Xliff.ts"

/** The file is no CSV or XLIFF file. */
export class UnreadableFile extends Schema.TaggedError<UnreadableFile>()("UnreadableFile", { detail: Schema.String }) {}

/** All texts of a language, or those in one state, as a file. Runs in the surrounding transaction. */
export const exported = (locale: string, format: FileFormat, state: TextList.State | undefined) =>
  Effect.map(TextList.list(locale, { state }, undefined, maxKeys), (rows) =>
    format === "csv" ? writeCsv(rows) : writeXliff(locale, rows)
  )

/** The entries of a file. */
export const entriesOf = (file: string, format: FileFormat): Effect.Effect<ReadonlyArray<FileEntry>, UnreadableFile> =>
  Effect.tryPromise({
    try: () => collected(format === "csv" ? readCsv(file) : readXliff(file)),
    catch: (error) =>
      new UnreadableFile({ detail: `The file cannot be read: ${error instanceof Error ? error.message : "unknown"}.` })
  })

const collected = async (entries: AsyncGenerator<FileEntry>): Promise<ReadonlyArray<FileEntry>> => {
  const all: Array<FileEntry> = []
  for await (const entry of entries) {
    if (all.length === maxKeys) throw new Error(`it has more than ${maxKeys} texts`)
    all.push(entry)
  }
  return all
}

/** Whether texts of the language can be imported. English texts are the source, and are written one by one. */
export const isImportable = (locale: string): boolean => locale !== sourceLocale
