/** Fields of invoices in requests. */
import { Schema } from "effect"
import { BodyId, plainText } from "#core/http/Paging.ts"
import { Amount, Currency, Day } from "../../bank-store/Fields.ts"

/** Currency of an invoice or payment that names none. */
export const defaultCurrency = "EUR"

/** Terms of an invoice without a due day. Unit: days. Reason: customary in German invoices. */
export const defaultTerms = 14

const trimmed = (maximum: number) =>
  plainText(maximum).pipe(
    Schema.check(
      Schema.makeFilter((text: string) => (text.trim() === text ? undefined : "must not begin or end with a space"))
    )
  )

/**
 * Invoice number, as printed on the invoice. Unit of the limit: UTF-16 units. Reason: a payment reference has 140
 * characters.
 */
export const InvoiceNumber = trimmed(64)

/** Id of an outside CRM. */
export const ExternalId = trimmed(128)

/** Note for people. */
export const Note = plainText(1000)

const Discount = Schema.Struct({
  /** Last day of the reduced amount. */
  until: Day,
  /** How much less is due, without sign. */
  amount: Amount
})

const optional = {
  customer_id: Schema.optionalKey(Schema.NullOr(BodyId)),
  currency: Schema.optionalKey(Currency),
  due_on: Schema.optionalKey(Day),
  discount: Schema.optionalKey(Schema.NullOr(Discount)),
  note: Schema.optionalKey(Schema.NullOr(Note))
}

/** A whole invoice. A negative amount is a credit note. */
export const InvoiceFields = Schema.Struct({ number: InvoiceNumber, amount: Amount, issued_on: Day, ...optional })

/** A new invoice. */
export const NewInvoice = Schema.Struct({
  ...InvoiceFields.fields,
  external_id: Schema.optionalKey(Schema.NullOr(ExternalId))
})

/** Fields to change; missing fields stay. */
export const InvoiceChange = Schema.Struct({
  number: Schema.optionalKey(InvoiceNumber),
  amount: Schema.optionalKey(Amount),
  issued_on: Schema.optionalKey(Day),
  ...optional
})
