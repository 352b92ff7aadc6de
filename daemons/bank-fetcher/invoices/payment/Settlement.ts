/**
 * What payments settle. Pure: reads no database. Amounts are integers in the currency's smallest unit. An invoice's
 * amounts are above 0, a credit note's below 0.
 */
import type { RefusalReason } from "../Errors.ts"
import type { Allocation, CashDiscount, Transaction } from "../../matching/Model.ts"

/** An invoice as far as settling needs it. */
export interface Settled {
  readonly id: string
  readonly number: string
  readonly customerId: number | null
  readonly currency: string
  readonly amount: number
  /** Part that payments and cash discounts settled. */
  readonly settled: number
  /** Cash discounts that payments used: part of `settled`. */
  readonly discounted: number
  readonly discount: CashDiscount | null
  readonly isCancelled: boolean
}

/** Part of a payment for an invoice. */
export interface NewAllocation {
  readonly invoiceId: string
  /** Money. Negative for a credit note. */
  readonly amount: number
  /** Cash discount on top, with the sign of the invoice. Undefined: by the terms of the invoice. */
  readonly discount?: number
}

/** What an allocation settles, with its discount decided. */
export interface DecidedAllocation {
  readonly invoiceId: string
  readonly amount: number
  readonly discount: number
}

/** A payment as far as settling needs it. */
export interface Paying {
  readonly amount: number
  readonly currency: string
  /** Day, ISO 8601. */
  readonly paidOn: string
  readonly allocations: ReadonlyArray<NewAllocation>
}

export interface Refusal {
  readonly reason: RefusalReason
  readonly invoiceId: string | null
}

export type Status = "open" | "partial" | "paid" | "cancelled"

/** Status of an invoice. */
export const statusOf = ({
  amount,
  isCancelled,
  settled
}: Pick<Settled, "amount" | "isCancelled" | "settled">): Status =>
  isCancelled ? "cancelled" : settled === 0 ? "open" : settled === amount ? "paid" : "partial"

/** What is left to pay. */
export const openOf = ({ amount, isCancelled, settled }: Pick<Settled, "amount" | "isCancelled" | "settled">): number =>
  isCancelled ? 0 : amount - settled

/** Cash discount that a payment of this day may use; 0 without one, after its last day, or when it was used. */
export const offered = ({ discount, discounted }: Settled, paidOn: string): number =>
  discount !== null && discounted === 0 && paidOn <= discount.until ? discount.amount : 0

/** Money that settles the invoice on this day. */
export const due = (invoice: Settled, paidOn: string): number => openOf(invoice) - offered(invoice, paidOn)

const discountOf = (invoice: Settled, { amount, discount }: NewAllocation, paidOn: string): number =>
  discount ?? (amount === due(invoice, paidOn) ? offered(invoice, paidOn) : 0)

const problemOf = (invoice: Settled, amount: number, discount: number, currency: string): RefusalReason | undefined => {
  if (invoice.isCancelled) return "cancelled"
  if (invoice.currency !== currency) return "other_currency"
  if (amount + discount === 0) return "nothing"
  const sign = Math.sign(invoice.amount)
  if (sign * amount < 0 || sign * discount < 0) return "wrong_sign"
  return sign * (amount + discount) > sign * openOf(invoice) ? "too_much" : undefined
}

/**
 * What the payment settles: its allocations with their discounts, and what is left of it. An invoice is never settled
 * beyond its amount, and the allocations never use more money than the payment has.
 */
export const settle = (
  payment: Paying,
  invoices: ReadonlyMap<string, Settled>
): { readonly allocations: ReadonlyArray<DecidedAllocation>; readonly unassigned: number } | Refusal => {
  const decided: Array<DecidedAllocation> = []
  const seen = new Set<string>()
  for (const allocation of payment.allocations) {
    const { amount, invoiceId } = allocation
    const invoice = invoices.get(invoiceId)
    if (invoice === undefined) return { reason: "unknown_invoice", invoiceId }
    if (seen.has(invoiceId)) return { reason: "named_twice", invoiceId }
    seen.add(invoiceId)
    const discount = discountOf(invoice, allocation, payment.paidOn)
    const reason = problemOf(invoice, amount, discount, payment.currency)
    if (reason !== undefined) return { reason, invoiceId }
    decided.push({ invoiceId, amount, discount })
  }
  const used = decided.reduce((sum, { amount }) => sum + amount, 0)
  const unassigned = payment.amount - used
  // Money in pays invoices, money out pays credit notes: the rest has the sign of the payment.
  if (used * payment.amount < 0 || unassigned * payment.amount < 0 || (payment.amount === 0 && used !== 0))
    return { reason: "more_than_payment", invoiceId: null }
  return payment.amount === 0 && decided.length === 0
    ? { reason: "nothing", invoiceId: null }
    : { allocations: decided, unassigned }
}

/** The invoice after an allocation settled a part of it. */
export const after = (invoice: Settled, { amount, discount }: DecidedAllocation): Settled => ({
  ...invoice,
  settled: invoice.settled + amount + discount,
  discounted: invoice.discounted + discount
})

/**
 * Allocations of a match. The amount of a matched allocation is what it settles; when the transaction is smaller by a
 * cash discount, the discount is split off.
 */
export const allocationsOf = (
  matched: ReadonlyArray<Allocation>,
  { amount, bookedOn }: Pick<Transaction, "amount" | "bookedOn">
): ReadonlyArray<NewAllocation> =>
  matched.map(({ amount: settled, invoice: { discount, id, open } }) => {
    const takesDiscount =
      matched.length === 1 &&
      settled === open &&
      discount !== null &&
      bookedOn <= discount.until &&
      amount === open - discount.amount
    return takesDiscount
      ? { invoiceId: id, amount, discount: discount.amount }
      : { invoiceId: id, amount: settled, discount: 0 }
  })

/** A payment as far as returning needs it. */
export interface Returnable {
  readonly amount: number
  readonly unassigned: number
  readonly allocations: ReadonlyArray<DecidedAllocation>
}

/**
 * What a returned or refunded payment takes back, as negative allocations: first what settles no invoice, then the
 * invoices, the last one first. `amount`: money that went back, above 0. A cash discount ends with the payment that
 * used it. More money than the payment had, such as the bank's fee, stays unassigned.
 */
export const takeBack = (
  { allocations, unassigned }: Returnable,
  amount: number
): { readonly allocations: ReadonlyArray<DecidedAllocation>; readonly unassigned: number } => {
  const free = Math.min(amount, Math.max(unassigned, 0))
  let rest = amount - free
  const taken: Array<DecidedAllocation> = []
  for (const allocation of allocations.toReversed()) {
    if (allocation.amount <= 0) continue
    const part = Math.min(rest, allocation.amount)
    if (part === 0) break
    rest -= part
    taken.push({ invoiceId: allocation.invoiceId, amount: -part, discount: 0 - allocation.discount })
  }
  return { allocations: taken, unassigned: 0 - free - rest }
}
