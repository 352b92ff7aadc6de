/** Converts the allocations of a request to what settling needs. Pure. */
import { minorIn } from "../../bank-store/Fields.ts"
import type { FieldProblem } from "#core/http/Problem.ts"
import { due, offered, openOf, type NewAllocation, type Settled } from "./Settlement.ts"
import type { AllocationField } from "./Fields.ts"

/** An allocation of a request with amounts in minor units. Undefined: to be filled in. */
export interface Proposed {
  readonly invoiceId: string | undefined
  readonly invoiceNumber: string | undefined
  readonly amount: number | undefined
  readonly discount: number | undefined
}

/** The allocations with amounts in minor units, or the fields that are wrong. */
export const proposed = (
  fields: ReadonlyArray<typeof AllocationField.Type>,
  currency: string
): ReadonlyArray<Proposed> | { readonly problems: ReadonlyArray<FieldProblem> } => {
  const problems: Array<FieldProblem> = []
  const allocations = fields.map(({ amount, discount, invoice_id: invoiceId, invoice_number: invoiceNumber }, at) => {
    const minor = (text: string | undefined, field: string) => {
      const found = text === undefined ? undefined : minorIn(text, currency)
      if (typeof found !== "object") return found
      problems.push({ field: `payload.allocations[${at}].${field}`, message: found.problem })
      return undefined
    }
    if ((invoiceId === undefined) === (invoiceNumber === undefined))
      problems.push({ field: `payload.allocations[${at}]`, message: "must have either invoice_id or invoice_number" })
    return { invoiceId, invoiceNumber, amount: minor(amount, "amount"), discount: minor(discount, "discount") }
  })
  return problems.length > 0 ? { problems } : allocations
}

/** An allocation of a known invoice. */
export type Named = Omit<Proposed, "invoiceId" | "invoiceNumber"> & { readonly invoiceId: string }

/**
 * Fills in missing amounts: what is due of each invoice, at most what is left of the payment. Credit notes come first,
 * because they leave more of the payment for the invoices.
 */
export const fillIn = (
  allocations: ReadonlyArray<Named>,
  invoices: ReadonlyMap<string, Settled>,
  amount: number,
  paidOn: string
): ReadonlyArray<NewAllocation> => {
  const sign = amount < 0 ? -1 : 1
  const filled = new Map<Named, number>()
  let rest = amount
  const take = (allocation: Named, part: number) => {
    filled.set(allocation, part)
    rest -= part
  }
  const wanted = ({ discount, invoiceId }: Named) => {
    const invoice = invoices.get(invoiceId)
    if (invoice === undefined) return 0
    return discount === undefined ? due(invoice, paidOn) : openOf(invoice) - discount
  }
  const missing: Array<Named> = []
  for (const allocation of allocations) {
    if (allocation.amount !== undefined) take(allocation, allocation.amount)
    else if (sign * wanted(allocation) < 0) take(allocation, wanted(allocation))
    else missing.push(allocation)
  }
  for (const allocation of missing) {
    const most = sign * wanted(allocation)
    take(allocation, sign * Math.max(0, Math.min(most, sign * rest)))
  }
  return allocations.map((allocation) => ({
    invoiceId: allocation.invoiceId,
    amount: filled.get(allocation) ?? 0,
    discount: allocation.discount ?? discountFor(allocation, filled.get(allocation) ?? 0, invoices, paidOn)
  }))
}

const discountFor = (
  { invoiceId }: Named,
  amount: number,
  invoices: ReadonlyMap<string, Settled>,
  paidOn: string
): number => {
  const invoice = invoices.get(invoiceId)
  return invoice !== undefined && amount === due(invoice, paidOn) ? offered(invoice, paidOn) : 0
}
