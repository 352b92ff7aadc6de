/** Payments of card and wallet providers. In the surrounding transaction with its role. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { tenantOfCustomer } from "#core/customers/CustomerTenants.ts"
import { lockInvoices } from "../invoice/SettledInvoices.ts"
import { createPayment, type NewPayment, refused } from "./CreatePayments.ts"
import { fillIn } from "./Proposed.ts"
import { reopen } from "./Returns.ts"
import { lockPayment, returnsOf, undoPayment } from "./UndoPayment.ts"

export interface ProviderPayment extends Pick<NewPayment, "amount" | "currency" | "paidOn"> {
  readonly source: "card" | "wallet"
  readonly externalId: string
  readonly customerId: number | null
  /** Invoice to settle, by its id or its number. */
  readonly invoiceId: string | null
  readonly invoiceNumber: string | null
}

/** Id of the payment with this external id; undefined when there is none. */
export const paymentByExternalId = Effect.fnUntraced(function* (tenantId: number, externalId: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ id: string }>`select id from bank_fetcher.payment
    where tenant_id = ${tenantId} and external_id = ${externalId}`
  return row?.id
})

/**
 * Records the payment once. The money came in anyway, so an invoice that cannot be settled leaves the payment
 * unassigned, and `problem` says why.
 */
export const recordProviderPayment = Effect.fnUntraced(function* (tenantId: number, payment: ProviderPayment) {
  const sql = yield* SqlClient.SqlClient
  const { customerId: named, externalId, invoiceId, invoiceNumber, ...rest } = payment
  yield* sql`select pg_advisory_xact_lock(hashtextextended(${`bank_fetcher.payment ${tenantId} ${externalId}`}, 0))`
  const there = yield* paymentByExternalId(tenantId, externalId)
  if (there !== undefined) return { id: there, isNew: false, problem: null }
  const isKnown = named === null || (yield* tenantOfCustomer("bank_fetcher", named, "customer")) === tenantId
  const customerId = isKnown ? named : null
  const base = { ...rest, externalId, customerId, transactionId: null }
  const unassigned = (problem: string | null) =>
    createPayment(tenantId, { ...base, allocations: [] }).pipe(
      // Without allocations, nothing can be refused.
      Effect.catchTag("SettlementRefused", (error) => Effect.die(error)),
      Effect.map(({ id }) => ({ id, isNew: true, problem }))
    )
  const problem = isKnown ? null : "The customer does not exist."
  if (invoiceId === null && invoiceNumber === null) return yield* unassigned(problem)
  const [invoice] = yield* sql<{ id: string }>`select id from bank_fetcher.invoice
    where tenant_id = ${tenantId} and (id = ${invoiceId}::uuid or number = ${invoiceNumber})`
  if (invoice === undefined) return yield* unassigned("The invoice does not exist.")
  const invoices = yield* lockInvoices(tenantId, [invoice.id])
  const wanted = [{ invoiceId: invoice.id, amount: undefined, discount: undefined }]
  const allocations = fillIn(wanted, invoices, payment.amount, payment.paidOn)
  return yield* createPayment(tenantId, { ...base, allocations }).pipe(
    Effect.map(({ id }) => ({ id, isNew: true, problem })),
    Effect.catchTag("SettlementRefused", ({ reason }) => unassigned(`The invoice was not settled: ${reason}.`))
  )
})

/** Undoes a payment that was refunded wholly, or records the return of a part. `amount`: null for the whole payment. */
export const refundProviderPayment = Effect.fnUntraced(function* (refund: {
  readonly paymentId: string
  readonly amount: number | null
  readonly currency: string | null
  readonly paidOn: string
}) {
  const { amount, currency, paidOn, paymentId } = refund
  const payment = yield* lockPayment(paymentId)
  if (payment.state === "undone") return yield* refused({ reason: "nothing", invoiceId: null })
  if (currency !== null && currency !== payment.currency)
    return yield* refused({ reason: "other_currency", invoiceId: null })
  const earlier = (yield* returnsOf(paymentId)).reduce((sum, returned) => sum - returned.amount, 0)
  const left = payment.amount - earlier
  const back = amount ?? left
  if (back > left) return yield* refused({ reason: "more_than_payment", invoiceId: null })
  if (earlier === 0 && back === left)
    // No return is active, as just read under the lock.
    return void (yield* Effect.catchTag(undoPayment(paymentId), "PaymentReturned", (error) => Effect.die(error)))
  yield* reopen({ paymentId, transactionId: null, amount: -back, currency: payment.currency, paidOn })
})
