/**
 * Splits a CSV file into rows, in pieces, so that a long file does not block the process. The delimiter is the most
 * frequent of comma, semicolon and tab in the first line. Source: RFC 4180, as csv-parse implements it.
 */
import { parse } from "csv-parse"

/** Cells of a row, or the reason why it cannot be read. `line`: line on which the row ends, starting at 1. */
export type CsvRow =
  | { readonly line: number; readonly cells: ReadonlyArray<string> }
  | { readonly line: number; readonly problem: string }

/**
 * Longest row. Unit: characters. Reason: a customer with twenty phone numbers takes 1 kB; an unclosed quote would
 * swallow the rest of the file.
 */
const maxRow = 16 * 1024

/** Size of a piece. Unit: UTF-16 code units. Reason: parsing one takes about 10 ms. */
const pieceSize = 64 * 1024

/** All rows in file order, header first, without empty lines. Deterministic: a resumed import skips rows by count. */
export async function* csvRows(file: string): AsyncGenerator<CsvRow> {
  // Inside quotes the parser counts CR LF as two lines.
  const text = file.replace(/\r\n?/g, "\n")
  let found: Array<CsvRow> = []
  const parser = parse({
    bom: true,
    delimiter: delimiterOf(text),
    trim: true,
    skip_empty_lines: true,
    relax_column_count: true,
    max_record_size: maxRow,
    skip_records_with_error: true,
    on_record: (cells: Array<string>, { lines }) => {
      found.push({ line: lines, cells })
      return null
    },
    on_skip: (error) => {
      found.push({ line: Number(error?.["lines"] ?? 0), problem: problems[error?.code ?? ""] ?? "cannot be read" })
      return undefined
    }
  })
  for (let at = 0; at < text.length; at += pieceSize) {
    await new Promise<void>((resolve, reject) =>
      parser.write(text.slice(at, at + pieceSize), (error) => (error ? reject(error) : resolve()))
    )
    yield* found
    found = []
  }
  await new Promise<void>((resolve, reject) => {
    parser.once("error", reject)
    parser.once("end", resolve)
    parser.resume()
    parser.end()
  })
  yield* found
}

const problems: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: "has a quote that is not closed",
  CSV_INVALID_CLOSING_QUOTE: "has text after a closing quote",
  INVALID_OPENING_QUOTE: "has a quote in the middle of a cell",
  CSV_MAX_RECORD_SIZE: "is too long"
}

const delimiterOf = (text: string): string => {
  const header = text
    .slice(0, maxRow)
    .replace(/^\uFEFF?\n+/, "")
    .split("\n", 1)[0]!
  const counted = [",", ";", "\t"].map((delimiter) => ({ delimiter, count: header.split(delimiter).length }))
  return counted.reduce((best, next) => (next.count > best.count ? next : best)).delimiter
}
