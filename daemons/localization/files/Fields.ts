/** Files of translations: formats and limits. */
import { Schema } from "effect"

/** Largest file. Unit: bytes. Reason: 50,000 texts with their English ones take about 10 MB as XLIFF. */
export const maxFile = 16 * 1024 * 1024

/** Maximum number of refused texts that an answer lists. All refused texts are counted. */
export const maxRefused = 100

export const formats = ["csv", "xliff"] as const
export const FileFormat = Schema.Literals(formats)
export type FileFormat = (typeof formats)[number]

export const contentTypes: Readonly<Record<FileFormat, string>> = {
  csv: "text/csv; charset=utf-8",
  xliff: "application/xliff+xml"
}

/** A text of a file that was imported. */
export interface FileText {
  readonly key: string
  /** English text at the time of the export; undefined: the file does not contain it. */
  readonly source: string | undefined
  readonly value: string
}

/** A text of a file, or why it cannot be read. `at`: a line, or the key. */
export type FileEntry = FileText | { readonly at: string; readonly problem: string }
