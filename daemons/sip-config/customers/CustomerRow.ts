/** Converts a CSV row to a customer. Pure. */
import { Result, Schema, SchemaIssue } from "effect"
import type { CountryCode } from "libphonenumber-js/min"
import type { NewCustomer as New } from "./Customers.ts"
import { NewCustomer } from "./Fields.ts"
import { normalised } from "./Normalise.ts"

const known = ["number", "name", "locale", "email", "phones"] as const
type Column = (typeof known)[number]

/** Index of each known column; unknown columns are ignored. */
export type Columns = ReadonlyMap<Column, number>

/**
 * Finds the known columns in a header, in any order and letter case (`phone` means `phones`); fails with the problem.
 */
export const columnsOf = (header: ReadonlyArray<string>): Result.Result<Columns, string> => {
  const columns = new Map<Column, number>()
  for (const [at, cell] of header.entries()) {
    const name = cell
      .trim()
      .toLowerCase()
      .replace(/^phone$/, "phones")
    const column = known.find((column) => column === name)
    if (column === undefined) continue
    if (columns.has(column)) return Result.fail(`has the column ${column} twice`)
    columns.set(column, at)
  }
  const missing = (["number", "name"] as const).filter((column) => !columns.has(column))
  return missing.length === 0
    ? Result.succeed(columns)
    : Result.fail(`must begin with a line that names the columns, including ${missing.join(" and ")}`)
}

const decode = Schema.decodeUnknownResult(NewCustomer, { errors: "first" })
const format = SchemaIssue.makeFormatterStandardSchemaV1()

/**
 * Customer of a row, or the faulty column and the reason. An empty cell of `email` or `phones` clears the field; an
 * empty `locale` keeps it. Several phone numbers in one cell are separated by `|` or `;`.
 */
export const customerOf = (
  cells: ReadonlyArray<string>,
  columns: Columns,
  country: CountryCode
): Result.Result<New, string> => {
  const cell = (column: Column) => (columns.has(column) ? (cells[columns.get(column)!] ?? "") : undefined)
  const [locale, email, phones] = [cell("locale"), cell("email"), cell("phones")]
  const decoded = decode({
    number: cell("number"),
    name: cell("name"),
    ...(locale === undefined || locale === "" ? {} : { locale }),
    ...(email === undefined ? {} : { email: email === "" ? null : email }),
    ...(phones === undefined
      ? {}
      : {
          phones: phones
            .split(/[|;]/)
            .map((phone) => phone.trim())
            .filter((phone) => phone !== "")
        })
  })
  if (Result.isFailure(decoded)) {
    const [issue] = format(decoded.failure.issue).issues
    return Result.fail(`${String(issue?.path?.[0] ?? "the row")}: ${issue?.message ?? "is wrong"}`)
  }
  const customer = normalised(decoded.success, country)
  return "noNumber" in customer
    ? Result.fail("phones: must be telephone numbers such as +49301234567")
    : Result.succeed(customer as New)
}
