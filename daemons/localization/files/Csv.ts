/** Translations as CSV: columns `key`, `english`, `translation` and `state`. Pure. Source: RFC 4180. */
import { csvRows } from "#core/imports/CsvRows.ts"
import type { TextList } from "../texts/Exports.ts"
import type { FileEntry } from "./Fields.ts"

const columns = ["key", "english", "translation", "state"] as const

/** Spreadsheets compute a cell that begins with one of these. An apostrophe before it makes it text. */
const formula = /^'*[=+\-@\t]/

const cell = (text: string): string => `"${(formula.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`

const plain = (text: string): string => (text.startsWith("'") && formula.test(text) ? text.slice(1) : text)

export const writeCsv = (rows: ReadonlyArray<TextList.TextRow>): string =>
  [columns.join(","), ...rows.map((row) => [row.key, row.source, row.value ?? "", row.state].map(cell).join(","))]
    .map((line) => `${line}\r\n`)
    .join("")

/** Entries in the order of the file. Rows with an empty translation are left out. */
export async function* readCsv(file: string): AsyncGenerator<FileEntry> {
  let at: { readonly key: number; readonly english: number; readonly translation: number } | undefined
  for await (const row of csvRows(file)) {
    const line = `line ${row.line}`
    if ("problem" in row) {
      yield { at: line, problem: row.problem }
      continue
    }
    if (at === undefined) {
      const names = row.cells.map((name) => name.toLowerCase())
      at = { key: names.indexOf("key"), english: names.indexOf("english"), translation: names.indexOf("translation") }
      if (at.key === -1 || at.translation === -1) {
        yield { at: line, problem: "must name the columns key and translation" }
        return
      }
      continue
    }
    const value = plain(row.cells[at.translation] ?? "")
    const source = at.english === -1 ? undefined : row.cells[at.english]
    if (value !== "")
      yield { key: plain(row.cells[at.key] ?? ""), source: source === undefined ? undefined : plain(source), value }
  }
}
