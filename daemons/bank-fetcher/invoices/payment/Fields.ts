/** Fields of payments in requests. */
import { Schema } from "effect"
import { boundedList } from "#core/http/BoundedList.ts"
import { BodyId } from "#core/http/Paging.ts"
import { Amount, Currency, Day, Uuid } from "../../bank-store/Fields.ts"
import { ExternalId, InvoiceNumber, Note } from "../invoice/Fields.ts"

/**
 * Maximum number of invoices of one payment. Reason: a collective payment of a year of monthly invoices, several times
 * over.
 */
export const maxAllocations = 100

/** Part of a payment that settles an invoice, which is named by its id or its number. */
export const AllocationField = Schema.Struct({
  invoice_id: Schema.optionalKey(Uuid),
  invoice_number: Schema.optionalKey(InvoiceNumber),
  /** Default: what is due, at most what is left of the payment. Negative for a credit note. */
  amount: Schema.optionalKey(Amount),
  /** Cash discount on top. Default: the invoice's, when `amount` with it settles the invoice within the terms. */
  discount: Schema.optionalKey(Amount)
})

export const PaymentFields = Schema.Struct({
  amount: Amount,
  paid_on: Day,
  customer_id: Schema.optionalKey(Schema.NullOr(BodyId)),
  currency: Schema.optionalKey(Currency),
  note: Schema.optionalKey(Schema.NullOr(Note)),
  allocations: Schema.optionalKey(boundedList(AllocationField, { minimum: 0, maximum: maxAllocations }))
})

/** A new payment. */
export const NewPayment = Schema.Struct({
  ...PaymentFields.fields,
  external_id: Schema.optionalKey(Schema.NullOr(ExternalId))
})
