import { Schema } from "effect"

/** Decimal text with the currency's own number of decimals, such as `-12.50`. */
const Amount = Schema.String
/** `YYYY-MM-DD`. */
const Day = Schema.String
const Text = Schema.NullOr(Schema.String)

/** What people should look at. */
export const findingCodes = [
  /** No account of the tenant has the IBAN. The statement gets its account when one is created. */
  "unknown_account",
  /** An earlier statement of the account had the same number, and this one replaced it. */
  "same_number_again",
  /** Statements before this one are missing. */
  "number_gap",
  /** The opening balance is not the closing balance of the statement before. */
  "balance_break",
  /** The bookings do not sum to the difference of the balances. */
  "sum_differs",
  /** The details of some batches do not sum to the batch, so each is one transaction. */
  "details_do_not_sum",
  /** The bank sends the details of some batches elsewhere, as camt.054. */
  "details_elsewhere",
  /** The statement has another currency than the account. */
  "currency_differs",
  /** A matched booking of a preliminary statement is not in the statement that replaced it. Its payment stays. */
  "matched_booking_vanished"
] as const
export type FindingCode = (typeof findingCodes)[number]

export const FindingView = Schema.Struct({
  code: Schema.Literals(findingCodes),
  /** Values of the sentence: numbers of statements, decimal amounts, ids of transactions. */
  values: Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Number])),
  /** English sentence. */
  message: Schema.String
}).annotate({ identifier: "BankFinding" })

/** Reason why a file could not be read. */
export const fileProblemCodes = [
  "malformed",
  "bad_amount",
  "bad_date",
  "too_large",
  "unknown_format",
  /** The reading ended twice without a result, for example because it took too long. */
  "not_readable"
] as const

export const FileView = Schema.Struct({
  id: Schema.String,
  tenant_id: Schema.Int,
  /** Account of the connection that fetched the file, or that the import named. */
  account_id: Text,
  source: Schema.Literals(["ebics", "import"]),
  order_type: Text,
  name: Schema.String,
  /** SHA-256 of the file, in hex. */
  sha256: Schema.String,
  /** Unit: bytes. */
  size: Schema.Int,
  /** `removed`: the content was deleted after its retention. */
  state: Schema.Literals(["waiting", "parsed", "failed", "removed"]),
  problem: Schema.NullOr(Schema.Struct({ code: Schema.Literals(fileProblemCodes), message: Schema.String })),
  /** Number of statements that were stored from the file, and of those that were stored before. */
  statements: Schema.Int,
  known_statements: Schema.Int,
  received_at: Schema.String,
  parsed_at: Text,
  keep_until: Day
}).annotate({ identifier: "BankFile" })

export const ImportView = Schema.Struct({
  /** Files in the upload: one, or those of the ZIP file. `duplicate`: the same file was stored before. */
  files: Schema.Array(Schema.Struct({ duplicate: Schema.Boolean, file: FileView }))
}).annotate({ identifier: "BankImport" })

export const StatementView = Schema.Struct({
  id: Schema.String,
  tenant_id: Schema.Int,
  account_id: Text,
  file_id: Schema.String,
  kind: Schema.Literals(["end_of_day", "intraday"]),
  /** For example `camt.053.001.08` or `MT940`. */
  format: Schema.String,
  /** Identification that the bank gave the statement. */
  bank_id: Schema.String,
  number: Schema.NullOr(Schema.Int),
  page: Schema.NullOr(Schema.Int),
  /** IBAN of the account, or another identification when the bank gave no IBAN. */
  iban: Text,
  currency: Text,
  from_date: Schema.NullOr(Day),
  to_date: Schema.NullOr(Day),
  opening: Schema.NullOr(Amount),
  opening_on: Schema.NullOr(Day),
  closing: Schema.NullOr(Amount),
  closing_on: Schema.NullOr(Day),
  transactions: Schema.Int,
  /** Transactions of a replaced statement no longer count. */
  state: Schema.Literals(["current", "replaced"]),
  replaced_by: Text,
  findings: Schema.Array(FindingView),
  /** Time of creation as the bank wrote it. */
  bank_created_at: Text,
  imported_at: Schema.String
}).annotate({ identifier: "BankStatement" })

export const reconciliationStatuses = [
  "unmatched",
  "suggested",
  "auto_matched",
  "manual_matched",
  "ignored",
  "partial"
] as const

export const TransactionView = Schema.Struct({
  id: Schema.String,
  tenant_id: Schema.Int,
  account_id: Text,
  statement_id: Schema.String,
  /** Above 0: money that came in. */
  amount: Amount,
  currency: Schema.String,
  booking_status: Schema.Literals(["booked", "pending", "information"]),
  booked_on: Day,
  value_on: Schema.NullOr(Day),
  reversal: Schema.Boolean,
  /** Payment reference. */
  text: Schema.String,
  end_to_end_id: Text,
  creditor_reference: Text,
  mandate_id: Text,
  creditor_id: Text,
  bank_reference: Text,
  counter_name: Text,
  counter_iban: Text,
  counter_bic: Text,
  /** German code of the kind of booking, three digits. */
  gvc: Text,
  /** ISO 20022 domain, family and sub-family, and other codes of the bank. */
  code: Schema.Record(Schema.String, Schema.String),
  purpose: Text,
  return_reason: Text,
  /** False: a later statement replaced this row. */
  current: Schema.Boolean,
  replaced_by: Text,
  reconciliation_status: Schema.Literals(reconciliationStatuses),
  /** Part of the amount that settles invoices. */
  matched: Amount,
  suggestion: Schema.NullOr(Schema.Unknown),
  ignored_reason: Text,
  version: Schema.Int,
  created_at: Schema.String,
  updated_at: Schema.String
}).annotate({ identifier: "BankTransaction" })
