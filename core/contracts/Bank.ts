/**
 * Events of bank accounts, for workflows and other daemons. Amounts are decimal texts such as `-12.50`, in the currency
 * beside them. Source of the terms: interface document 2 §2.6.
 */
import { Schema } from "effect"
import { define } from "../events/Events.ts"

const account = {
  account_id: Schema.String,
  tenant_id: Schema.Int,
  /** Name of the account. */
  account: Schema.String,
  iban: Schema.String
}

/** A statement was read from a file. `findings`: number of findings that people should look at. */
export const StatementImported = define(
  "bank.statement.imported",
  Schema.Struct({
    ...account,
    statement_id: Schema.String,
    kind: Schema.Literals(["end_of_day", "intraday"]),
    from_date: Schema.NullOr(Schema.String),
    to_date: Schema.NullOr(Schema.String),
    transactions: Schema.Int,
    findings: Schema.Int
  })
)

/** Statements could not be fetched. Emitted once an outage. `code`: EBICS return code, when the bank gave one. */
export const FetchFailed = define(
  "bank.fetch.failed",
  Schema.Struct({
    ...account,
    fetch_id: Schema.String,
    problem: Schema.String,
    code: Schema.NullOr(Schema.String),
    /** When the first attempt failed, ISO 8601. */
    since: Schema.String
  })
)

/** A transaction was matched with invoices. */
export const TransactionMatched = define(
  "bank.transaction.matched",
  Schema.Struct({
    transaction_id: Schema.String,
    tenant_id: Schema.Int,
    status: Schema.Literals(["auto_matched", "manual_matched", "partial"]),
    amount: Schema.String,
    currency: Schema.String,
    /** Unit: percent; null for a match by a person. */
    confidence: Schema.NullOr(Schema.Int),
    payment_id: Schema.String,
    invoices: Schema.Array(Schema.Struct({ invoice_id: Schema.String, number: Schema.String, amount: Schema.String }))
  })
)

/** Progress of a batch that decides about unmatched transactions, and its end. */
export const BatchProgress = define(
  "bank.batch.progress",
  Schema.Struct({
    batch_id: Schema.String,
    tenant_id: Schema.Int,
    state: Schema.Literals(["waiting", "running", "finished", "failed"]),
    /** Null until the batch starts. */
    total: Schema.NullOr(Schema.Int),
    done: Schema.Int,
    auto_matched: Schema.Int,
    suggested: Schema.Int,
    ignored: Schema.Int,
    unmatched: Schema.Int
  })
)

/** A payment came in: from the bank, a payment provider, or a person. */
export const PaymentReceived = define(
  "payment.received",
  Schema.Struct({
    payment_id: Schema.String,
    tenant_id: Schema.Int,
    customer_id: Schema.NullOr(Schema.Int),
    source: Schema.Literals(["bank", "manual", "card", "wallet"]),
    amount: Schema.String,
    currency: Schema.String,
    paid_on: Schema.String,
    invoices: Schema.Array(Schema.Struct({ invoice_id: Schema.String, number: Schema.String, amount: Schema.String }))
  })
)
