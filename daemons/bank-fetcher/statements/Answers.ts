/** Rows as the API returns them. Pure. */
import { decimalOf } from "../bank-store/Money.ts"
import { findingText } from "./Findings.ts"
import type { FileRow, StatementRow, TransactionRow } from "./Lists.ts"
import type { fileProblemCodes, FileView, StatementView, TransactionView } from "./Views.ts"

export const fileView = ({
  chunks: _chunks,
  parsed_at,
  problem,
  problem_code,
  received_at,
  seq: _seq,
  ...row
}: FileRow): typeof FileView.Type => ({
  ...row,
  problem: problem === null ? null : { code: problem_code as (typeof fileProblemCodes)[number], message: problem },
  received_at: received_at.toISOString(),
  parsed_at: parsed_at?.toISOString() ?? null
})

export const statementView = ({
  closing,
  findings,
  imported_at,
  opening,
  seq: _seq,
  ...row
}: StatementRow): typeof StatementView.Type => ({
  ...row,
  opening: opening === null ? null : decimalOf(opening, row.currency ?? ""),
  closing: closing === null ? null : decimalOf(closing, row.currency ?? ""),
  findings: findings.map((finding) => ({ ...finding, message: findingText(finding) })),
  imported_at: imported_at.toISOString()
})

export const transactionView = ({
  amount,
  created_at,
  matched,
  seq: _seq,
  updated_at,
  ...row
}: TransactionRow): typeof TransactionView.Type => ({
  ...row,
  amount: decimalOf(amount, row.currency),
  matched: decimalOf(matched, row.currency),
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString()
})

/** Page of rows that were read with one row more than `limit`. */
export const pageOfRows = <Row extends { readonly seq: number }, View>(
  rows: ReadonlyArray<Row>,
  limit: number,
  view: (row: Row) => View
): { readonly items: ReadonlyArray<View>; readonly next_before: number | null } => {
  const items = rows.slice(0, limit)
  return { items: items.map(view), next_before: rows.length > limit ? items.at(-1)!.seq : null }
}

const columns = [
  "booked_on",
  "value_on",
  "amount",
  "currency",
  "booking_status",
  "counter_name",
  "counter_iban",
  "counter_bic",
  "text",
  "end_to_end_id",
  "creditor_reference",
  "mandate_id",
  "creditor_id",
  "bank_reference",
  "gvc",
  "purpose",
  "return_reason",
  "reversal",
  "reconciliation_status",
  "matched",
  "current",
  "account_id",
  "statement_id",
  "id"
] as const satisfies ReadonlyArray<keyof typeof TransactionView.Type>

/** Columns with a sign that is no formula. */
const numbers: ReadonlySet<string> = new Set(["amount", "matched"])

export const csvHead = `${columns.join(",")}\r\n`

/** Line of a CSV file. Source: RFC 4180; OWASP, CSV injection. */
export const csvLine = (row: TransactionRow): string => {
  const view = transactionView(row)
  return `${columns.map((column) => csvCell(String(view[column] ?? ""), numbers.has(column))).join(",")}\r\n`
}

const csvCell = (text: string, isNumber: boolean): string => {
  const safe = !isNumber && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
