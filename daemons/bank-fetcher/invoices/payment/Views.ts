/** Payments as responses and commands show them. */
import { decimalOf } from "../../bank-store/Money.ts"
import type { PaymentView } from "./Api.ts"
import type * as Payments from "./Payments.ts"

/** Converts a row to the response. */
export const view = ({ seq: _seq, ...row }: Payments.Payment): typeof PaymentView.Type => {
  const text = (minor: number) => decimalOf(minor, row.currency)
  return {
    ...row,
    amount: text(row.amount),
    unassigned: text(row.unassigned),
    allocations: row.allocations.map((allocation) => ({
      ...allocation,
      amount: text(allocation.amount),
      discount: text(allocation.discount)
    })),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString()
  }
}
