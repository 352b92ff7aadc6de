/** Converts a CSV row to a customer. Pure. */
import { Result, Schema, SchemaIssue } from "effect"
import type { CountryCode } from "libphonenumber-js/min"
import type { NewCustomer as New } from "./Customers.ts"
import { columnFinder, type Columns } from "#core/imports/ImportWorker.ts"
import { NewCustomer } from "./Fields.ts"
import { normalised } from "./Normalise.ts"

const known = ["number", "name", "locale", "email", "phones"] as const
type Column = (typeof known)[number]

/** Finds the known columns in a header; `phone` means `phones`. */
export const columnsOf = columnFinder({ known, required: ["number", "name"], aliases: { phone: "phones" } })

const decode = Schema.decodeUnknownResult(NewCustomer, { errors: "first" })
const format = SchemaIssue.makeFormatterStandardSchemaV1()

/**
 * Customer of a row, or the faulty column and the reason. An empty cell of `email` or `phones` clears the field; an
 * empty `locale` keeps it. Several phone numbers in one cell are separated by `|` or `;`.
 */
export const customerOf = (
  cells: ReadonlyArray<string>,
  columns: Columns<Column>,
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
