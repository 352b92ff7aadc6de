/** The dashboard as the API answers it. Amounts are decimal texts. */
import { Schema } from "effect"
import { BatchView } from "./BatchView.ts"

/** Maximum number of days of the daily figures. Unit: days. Reason: one year of a chart. */
export const maxDays = 366

/** Days of the daily figures when the caller names none. Unit: days. */
export const defaultDays = 30

export const dashboardDays = Schema.NumberFromString.pipe(
  Schema.decodeTo(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxDays })))
)

const Balance = Schema.Struct({ amount: Schema.String, on: Schema.NullOr(Schema.String), statement_id: Schema.String })

const Sums = Schema.Struct({
  count: Schema.Int,
  /** Sum of what came in, at least 0. */
  incoming: Schema.String,
  /** Sum of what went out, at most 0. */
  outgoing: Schema.String
})

const AccountView = Schema.Struct({
  account_id: Schema.String,
  name: Schema.String,
  iban: Schema.String,
  currency: Schema.String,
  key_status: Schema.String,
  /** Why fetching waits for a person; null when it does not. */
  stopped: Schema.NullOr(Schema.String),
  /** Closing balance of the newest end-of-day statement. */
  balance: Schema.NullOr(Balance),
  /** Balance of the newest intraday statement after that day. */
  intraday: Schema.NullOr(Balance),
  /** Day of the newest booking. */
  last_movement: Schema.NullOr(Schema.String),
  /** Transactions that wait for a decision: unmatched or suggested. */
  unmatched: Schema.Int,
  /** Statements with findings. */
  findings: Schema.Int,
  last_fetch: Schema.NullOr(
    Schema.Struct({
      id: Schema.String,
      reason: Schema.String,
      state: Schema.String,
      problem: Schema.NullOr(Schema.String),
      created_at: Schema.String,
      finished_at: Schema.NullOr(Schema.String)
    })
  ),
  last_success: Schema.NullOr(Schema.String),
  /** Failures in a row; null while fetching works. */
  failing: Schema.NullOr(
    Schema.Struct({
      failures: Schema.Int,
      since: Schema.NullOr(Schema.String),
      retry_at: Schema.NullOr(Schema.String),
      problem: Schema.NullOr(Schema.String)
    })
  )
})

/** Figures in one currency. */
const CurrencyView = Schema.Struct({
  currency: Schema.String,
  unmatched: Sums,
  suggested: Sums,
  open_invoices: Schema.Struct({ count: Schema.Int, amount: Schema.String }),
  overdue_invoices: Schema.Struct({ count: Schema.Int, amount: Schema.String })
})

const DayView = Schema.Struct({
  day: Schema.String,
  currency: Schema.String,
  incoming: Schema.String,
  outgoing: Schema.String,
  transactions: Schema.Int,
  /** Transactions booked on this day that are matched now, in whole or in part. */
  matched: Schema.Int
})

export const DashboardView = Schema.Struct({
  accounts: Schema.Array(AccountView),
  /** In order of the currency. */
  currencies: Schema.Array(CurrencyView),
  unmatched: Schema.Int,
  suggested: Schema.Int,
  /** Statements with findings that people should look at. */
  findings: Schema.Int,
  /** Raw files that could not be read. */
  failed_files: Schema.Int,
  /** One row for each day and currency, oldest first. */
  daily: Schema.Array(DayView),
  /** The newest batch. */
  batch: Schema.NullOr(BatchView)
}).annotate({ identifier: "BankDashboard" })
