/** Errors of invoices and payments, besides invalid input and missing permissions. */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 409: another invoice of the tenant has this number. */
export class InvoiceNumberTaken extends HttpApiError.Problem<InvoiceNumberTaken>()(
  "InvoiceNumberTaken",
  declaration("invoice_number_taken", 409, "Another invoice has this number"),
  { ...codeField("invoice_number_taken"), invoice_id: Schema.String }
) {}

/** 409: another invoice or payment of the tenant has this external id; `id` is its id. */
export class ExternalIdTaken extends HttpApiError.Problem<ExternalIdTaken>()(
  "ExternalIdTaken",
  declaration("external_id_taken", 409, "The external id is in use"),
  { ...codeField("external_id_taken"), id: Schema.String }
) {}

/** 409: payments settled the invoice, or a part of it, so that it cannot be deleted, cancelled or changed like this. */
export class InvoiceSettled extends HttpApiError.Problem<InvoiceSettled>()(
  "InvoiceSettled",
  declaration("invoice_settled", 409, "Payments settled this invoice or a part of it"),
  codeField("invoice_settled")
) {}

/** 409: the invoice is cancelled. */
export class InvoiceCancelled extends HttpApiError.Problem<InvoiceCancelled>()(
  "InvoiceCancelled",
  declaration("invoice_cancelled", 409, "The invoice is cancelled"),
  codeField("invoice_cancelled")
) {}

/** Why a payment cannot settle what it names. */
export const RefusalReason = Schema.Literals([
  "unknown_invoice",
  "cancelled",
  "other_currency",
  "too_much",
  "wrong_sign",
  "more_than_payment",
  "named_twice",
  "nothing",
  "already_paid"
])
export type RefusalReason = typeof RefusalReason.Type

/** 409: the payment cannot settle the invoices as requested. `already_paid`: the bank transaction has a payment. */
export class SettlementRefused extends HttpApiError.Problem<SettlementRefused>()(
  "SettlementRefused",
  declaration("settlement_refused", 409, "The payment cannot settle these invoices like this"),
  { ...codeField("settlement_refused"), reason: RefusalReason, invoice_id: Schema.NullOr(Schema.String) }
) {}

/** 409: the payment was returned or refunded, wholly or partly; undo that first. */
export class PaymentReturned extends HttpApiError.Problem<PaymentReturned>()(
  "PaymentReturned",
  declaration("payment_returned", 409, "The payment was returned; undo the return first"),
  { ...codeField("payment_returned"), payment_id: Schema.String }
) {}

/** 409: the bank transaction of the payment is matched; undo the match instead. */
export class PaymentMatched extends HttpApiError.Problem<PaymentMatched>()(
  "PaymentMatched",
  declaration("payment_matched", 409, "The payment belongs to a bank transaction; undo the match instead"),
  { ...codeField("payment_matched"), transaction_id: Schema.String }
) {}

/** 409: a payment with this external id has other content. */
export class PaymentDiffers extends HttpApiError.Problem<PaymentDiffers>()(
  "PaymentDiffers",
  declaration("payment_differs", 409, "A payment with this external id has other content"),
  { ...codeField("payment_differs"), payment_id: Schema.String }
) {}
