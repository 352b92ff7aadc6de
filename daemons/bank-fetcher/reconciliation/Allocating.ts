/** What a person's match settles: fills in the amounts that the request leaves out. Pure. */
import type { CashDiscount } from "../matching/Model.ts"
import type { NewAllocation } from "../invoices/Exports.ts"

/** An invoice as far as a match needs it. Amounts in minor units; below 0 for a credit note. */
export interface Matchable {
  readonly id: string
  readonly currency: string
  readonly open: number
  readonly discount: CashDiscount | null
}

/** An invoice of the request; `amount` undefined: as much as possible. */
export interface Wanted {
  readonly invoice: Matchable
  readonly amount: number | undefined
}

/**
 * Allocations in the order of the request. When the transaction is the sum of all invoices less their cash discounts,
 * each takes its discount. Otherwise credit notes offset invoices first, and the invoices are filled one after the
 * other. An allocation of 0 means that nothing of the transaction was left for the invoice.
 */
export const allocationsFor = (
  wanted: ReadonlyArray<Wanted>,
  { amount, bookedOn }: { readonly amount: number; readonly bookedOn: string }
): ReadonlyArray<NewAllocation> => {
  const discountOf = ({ discount }: Matchable) =>
    discount !== null && bookedOn <= discount.until ? discount.amount : 0
  const sum = wanted.reduce((total, { invoice }) => total + invoice.open - discountOf(invoice), 0)
  if (sum === amount && wanted.every((one) => one.amount === undefined))
    return wanted.map(({ invoice }) => ({
      invoiceId: invoice.id,
      amount: invoice.open - discountOf(invoice),
      discount: discountOf(invoice)
    }))
  let rest = amount
  const amounts = new Map<Wanted, number>()
  for (const one of wanted) {
    const offsets = one.amount === undefined && one.invoice.open > 0 !== amount > 0
    const fixed = offsets ? one.invoice.open : one.amount
    if (fixed === undefined) continue
    amounts.set(one, fixed)
    rest -= fixed
  }
  for (const one of wanted) {
    if (amounts.has(one)) continue
    const left = rest * amount > 0 ? Math.min(Math.abs(rest), Math.abs(one.invoice.open)) : 0
    const filled = amount < 0 ? 0 - left : left
    amounts.set(one, filled)
    rest -= filled
  }
  return wanted.map((one) => ({
    invoiceId: one.invoice.id,
    amount: amounts.get(one)!,
    // Without `discount` a given amount takes the cash discount by the terms of the invoice.
    ...(one.amount === undefined ? { discount: 0 } : {})
  }))
}
