/** Invoices as responses and commands show them. */
import { Effect } from "effect"
import { decimalOf } from "../../bank-store/Money.ts"
import { openOf } from "../payment/Settlement.ts"
import type { InvoiceSummary, InvoiceView } from "./Api.ts"
import * as InvoiceLists from "./InvoiceLists.ts"
import * as Invoices from "./Invoices.ts"

/** Converts a row to an entry of a list. */
export const summary = (row: Invoices.Invoice): typeof InvoiceSummary.Type => {
  const {
    amount,
    currency,
    discount_amount: less,
    discount_until: until,
    discounted,
    seq: _seq,
    settled,
    ...rest
  } = row
  const text = (minor: number) => decimalOf(minor, currency)
  return {
    ...rest,
    currency,
    kind: Invoices.kindOf(amount),
    amount: text(amount),
    settled: text(settled),
    discounted: text(discounted),
    open: text(openOf({ amount, settled, isCancelled: row.status === "cancelled" })),
    discount: until === null || less === null ? null : { until, amount: text(less) },
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString()
  }
}

/** Converts a row to the response, with its payments. */
export const detail = Effect.fnUntraced(function* (row: Invoices.Invoice) {
  const payments = yield* InvoiceLists.settlements(row.id)
  return {
    ...summary(row),
    payments: payments.map((payment) => ({
      ...payment,
      amount: decimalOf(payment.amount, row.currency),
      discount: decimalOf(payment.discount, row.currency)
    }))
  } satisfies typeof InvoiceView.Type as typeof InvoiceView.Type
})
