/**
 * Exports of the feature invoices for other features of the daemon. All functions run in the surrounding transaction
 * with its role.
 *
 * - `openInvoices(tenantId)`, `payers(tenantId)`: what matching needs, each with one statement.
 * - `createPayment(payment)`, `createPayments(tenantId, payments)`: settle invoices, and emit `payment.received` for
 *   money that came in. The second one makes many payments with few statements; a payment that cannot settle what it
 *   names is answered as a `Refusal` and makes nothing, while the others are made.
 * - `undoPayment(id)`: reopens exactly what the payment settled. False when it was undone before.
 * - `reopen(returned)`: records that a payment was returned or refunded, and reopens its invoices.
 */
export { PaymentReturned, SettlementRefused } from "./Errors.ts"
export { addIban } from "./customers/Ibans.ts"
export { openInvoices, payers } from "./OpenItems.ts"
export { createPayment, createPayments, type MadePayment, type NewPayment } from "./payment/CreatePayments.ts"
export { reopen, type Returned } from "./payment/Returns.ts"
export { undoPayment } from "./payment/UndoPayment.ts"
export { allocationsOf, type NewAllocation, type Refusal } from "./payment/Settlement.ts"
export { requestReconcile } from "../bank-store/ReconcileRequest.ts"
export {
  paymentByExternalId,
  type ProviderPayment,
  recordProviderPayment,
  refundProviderPayment
} from "./payment/ProviderPayments.ts"
